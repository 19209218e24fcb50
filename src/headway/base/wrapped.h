// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace headway {

// Breaks text into lines of at most `width` columns, each indented by `indent` spaces; empty lines are kept.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width = 80);

}  // namespace headway
