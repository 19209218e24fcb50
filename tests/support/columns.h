// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "headway/metrics/result.h"

namespace headway::test {

// The values of a column. Throws std::out_of_range if the table has no such column.
inline const std::vector<double>& column(const Table& table, std::string_view name) {
  if (const Column* found = find_column(table, name)) return found->values;
  throw std::out_of_range("no column " + std::string(name));
}

// The names of a column.
inline const std::vector<std::string>& words(const Table& table, std::string_view name) {
  if (const Column* found = find_column(table, name)) return found->words;
  throw std::out_of_range("no column " + std::string(name));
}

}  // namespace headway::test
