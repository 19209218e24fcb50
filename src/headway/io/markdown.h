// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace headway {

// Text of a user on a page of Markdown, in a cell of a table too: no HTML, link, picture or code comes of it.
std::string markdown_text(std::string_view text);

}  // namespace headway
