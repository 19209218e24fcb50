// SPDX-License-Identifier: Apache-2.0
// Cells of comma-separated values as RFC 4180 describes them. A row is always one line that a terminal can
// show: what is not printable in a text is written as its number (base/visible.h); results.json has the text
// itself.
#pragma once

#include <string>
#include <string_view>

namespace headway {

std::string csv_cell(std::string_view text);
std::string csv_cell(
    double number);  // the fewest digits that read back as the same number; empty if there is none

}  // namespace headway
