// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/result.h"

#include <algorithm>
#include <limits>
#include <span>

namespace headway {
namespace {
constexpr auto kNameOfMetric = &std::pair<std::string, double>::first;
}  // namespace

const Column* find_column(const Table& table, std::string_view name) {
  const auto found = std::ranges::find(table, name, &Column::name);
  return found == table.end() ? nullptr : &*found;
}

std::size_t rows_of(const Table& table) { return table.empty() ? 0 : table.front().rows(); }

double number_at(const Table& table, std::string_view column, std::size_t row) {
  const Column* const found = find_column(table, column);
  return found == nullptr || found->values.size() <= row ? std::numeric_limits<double>::quiet_NaN()
                                                         : found->values[row];
}

std::string_view word_at(const Table& table, std::string_view column, std::size_t row) {
  const Column* const found = find_column(table, column);
  return found == nullptr || found->words.size() <= row ? std::string_view() : found->words[row];
}

bool alike(const Result& a, const Result& b) {
  const auto same = [](const auto& one, const auto& other) {
    return one.first == other.first &&
           std::ranges::equal(one.second, other.second, {}, &Column::name, &Column::name);
  };
  return std::ranges::equal(a.metrics, b.metrics, {}, kNameOfMetric, kNameOfMetric) &&
         std::ranges::equal(a.tables, b.tables, same);
}

Numbered numbered_by(std::string_view column) {
  static constexpr std::string_view kNodes[] = {"source", "destination", "from_node", "to_node", "at_node"};
  static constexpr std::string_view kSwitches[] = {"from_switch", "to_switch", "at_switch"};
  const auto is_in = [&](std::span<const std::string_view> names) {
    return std::ranges::find(names, column) != names.end();
  };
  if (is_in(kNodes)) return Numbered::nodes;
  return is_in(kSwitches) ? Numbered::switches : Numbered::nothing;
}

double Result::metric(std::string_view name) const {
  for (const auto& [metric_name, value] : metrics)
    if (metric_name == name) return value;
  return std::numeric_limits<double>::quiet_NaN();
}

const Table& Result::table(std::string_view name) const {
  static const Table kNone;
  const auto found = tables.find(name);
  return found == tables.end() ? kNone : found->second;
}

}  // namespace headway
