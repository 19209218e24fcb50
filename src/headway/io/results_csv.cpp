// SPDX-License-Identifier: Apache-2.0
// Comma-separated values as RFC 4180 describes them, with "\n" between rows.
#include <fmt/format.h>

#include <cmath>

#include "headway/io/results.h"

namespace headway {
namespace {

std::string cell(std::string_view text) {
  if (text.find_first_of(",\"\n\r") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  quoted += '"';
  return quoted;
}

std::string cell(double number) { return std::isfinite(number) ? fmt::format("{}", number) : ""; }

// The half width of a metric's interval; null if it has none.
const double* interval_of(const Result& result, std::string_view name) {
  for (const auto& [metric, half_width] : result.intervals)
    if (metric == name) return &half_width;
  return nullptr;
}

// One row of the params' keys or values; every cell ends with a comma.
template <class Part>
std::string param_cells(const PointResult& point, Part part) {
  std::string row;
  for (const auto& param : point.params) row += cell(part(param)) + ',';
  return row;
}
constexpr auto kKey = [](const auto& param) -> std::string_view { return param.first; };
constexpr auto kValue = [](const auto& param) -> std::string_view { return param.second; };

}  // namespace

std::string results_csv(const std::vector<PointResult>& points) {
  if (points.empty()) return "";
  const Result& first = points.front().result;
  std::string text = param_cells(points.front(), kKey) + "seed,status";
  for (const auto& [name, value] : first.metrics) {
    text += fmt::format(",{}", name);
    if (interval_of(first, name)) text += fmt::format(",{}_ci95", name);
  }
  for (const PointResult& point : points) {
    text += fmt::format("\n{}{},{}", param_cells(point, kValue), point.seed, to_string(point.result.status));
    for (const auto& [name, value] : point.result.metrics) {
      text += ',' + cell(value);
      if (const double* half_width = interval_of(point.result, name)) text += ',' + cell(*half_width);
    }
  }
  return text + '\n';
}

std::string table_csv(const std::vector<PointResult>& points, Table Result::* table) {
  std::string text;
  for (const PointResult& point : points) {
    const Table& columns = point.result.*table;
    if (columns.empty()) continue;
    if (text.empty()) {
      text = param_cells(point, kKey) + "seed";
      for (const Column& column : columns) text += ',' + cell(column.name);
      text += '\n';
    }
    const std::string params = param_cells(point, kValue) + std::to_string(point.seed);
    for (std::size_t row = 0; row < columns.front().values.size(); ++row) {
      text += params;
      for (const Column& column : columns) text += ',' + cell(column.values[row]);
      text += '\n';
    }
  }
  return text;
}

}  // namespace headway
