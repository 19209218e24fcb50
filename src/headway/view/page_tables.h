// SPDX-License-Identifier: Apache-2.0
// Rows of tables of results as data of a page.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <vector>

#include "headway/io/json.h"
#include "headway/metrics/result.h"

namespace headway {

// A list with a value of every element.
template <class List, class Value>
Json list_of(const List& elements, Value value) {
  Json list = Json::array();
  for (const auto& element : elements) list.push_back(std::invoke(value, element));
  return list;
}

inline std::vector<std::size_t> first_rows(std::size_t count) {
  std::vector<std::size_t> rows(count);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return rows;
}

inline Json table_data(const Table& table, const std::vector<std::size_t>& rows) {
  Json json = Json::object();
  for (const Column& column : table)
    json.append(column.name, list_of(rows, [&](std::size_t row) {
                  return column.words.empty() ? Json(column.values[row]) : Json(column.words[row]);
                }));
  return json;
}
inline Json table_data(const Table& table) { return table_data(table, first_rows(rows_of(table))); }

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
