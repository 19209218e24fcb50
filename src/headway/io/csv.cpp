// SPDX-License-Identifier: Apache-2.0
#include "headway/io/csv.h"

#include <cmath>

#include "headway/base/visible.h"
#include "headway/io/number_text.h"

namespace headway {

void append_csv(std::string& row, std::string_view text) {
  const std::string shown = visible(text);
  if (shown.find_first_of(",\"") == std::string::npos) {
    row += shown;
    return;
  }
  row += '"';
  for (const char c : shown) row.append(c == '"' ? 2 : 1, c);
  row += '"';
}

void append_csv(std::string& row, double number) {
  if (std::isfinite(number)) append_number(row, number);
}

}  // namespace headway
