// SPDX-License-Identifier: Apache-2.0
// Rows of tables of results as data of a page.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "headway/io/json.h"
#include "headway/metrics/result.h"

namespace headway {

inline Json table_data(const Table& table, const std::vector<std::size_t>& rows) {
  Json json = Json::object();
  for (const Column& column : table) {
    Json values = Json::array();
    for (const std::size_t row : rows)
      values.push_back(column.words.empty() ? Json(column.values[row]) : Json(column.words[row]));
    json.append(column.name, std::move(values));
  }
  return json;
}

inline std::vector<std::size_t> first_rows(std::size_t count) {
  std::vector<std::size_t> rows(count);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return rows;
}
inline std::vector<std::size_t> all_rows(const Table& table) { return first_rows(rows_of(table)); }

// The rows with the largest weights, in their order.
template <class Weight>
std::vector<std::size_t> largest(std::size_t count, std::size_t most, Weight weight) {
  std::vector<std::size_t> rows = first_rows(count);
  if (rows.size() <= most) return rows;
  std::ranges::stable_sort(rows, std::greater{}, weight);
  rows.resize(most);
  std::ranges::sort(rows);
  return rows;
}

}  // namespace headway
