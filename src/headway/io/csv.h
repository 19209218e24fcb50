// SPDX-License-Identifier: Apache-2.0
// Cells of comma-separated values as in RFC 4180. A row is always one line that a terminal can show:
// characters that are not printable are written as escapes (base/visible.h); results.json contains the
// original text.
#pragma once

#include <string>
#include <string_view>

namespace headway {

void append_csv(std::string& row, std::string_view text);
void append_csv(std::string& row,
                double number);  // the fewest digits that read back as the same; empty for NaN

template <class Value>
std::string csv_cell(const Value& value) {
  std::string cell;
  append_csv(cell, value);
  return cell;
}

}  // namespace headway
