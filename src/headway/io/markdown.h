// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace headway {

// Escapes text of a user for a Markdown page or a table cell, so that it creates no HTML, links, pictures or
// code.
std::string markdown_text(std::string_view text);

}  // namespace headway
