// SPDX-License-Identifier: Apache-2.0
#include "headway/io/csv.h"

#include <fmt/format.h>

#include <cmath>

#include "headway/base/visible.h"

namespace headway {

std::string csv_cell(std::string_view text) {
  std::string shown = visible(text);
  if (shown.find_first_of(",\"") == std::string::npos) return shown;
  std::string quoted = "\"";
  for (const char c : shown) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

std::string csv_cell(double number) { return std::isfinite(number) ? fmt::format("{}", number) : ""; }

}  // namespace headway
