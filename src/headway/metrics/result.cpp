// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/result.h"

#include <algorithm>
#include <limits>

namespace headway {
namespace {
constexpr auto kName = &std::pair<std::string, double>::first;
}  // namespace

const Column* find_column(const Table& table, std::string_view name) {
  const auto found = std::ranges::find(table, name, &Column::name);
  return found == table.end() ? nullptr : &*found;
}

std::string_view to_string(Status status) {
  switch (status) {
    case Status::ok:
      return "ok";
    case Status::too_short:
      return "too_short";
    case Status::not_steady:
      return "not_steady";
    case Status::saturated:
      return "saturated";
    case Status::deadlock:
      return "deadlock";
  }
  return "unknown";
}

std::span<const Status> statuses() {
  static constexpr Status kStatuses[] = {Status::ok, Status::too_short, Status::not_steady, Status::saturated,
                                         Status::deadlock};
  return kStatuses;
}

std::span<const NamedTable> result_tables() {
  static constexpr NamedTable kTables[] = {{"series", &Result::series},
                                           {"per_destination", &Result::per_destination},
                                           {"destination_series", &Result::destination_series},
                                           {"port_series", &Result::port_series},
                                           {"per_pair", &Result::per_pair},
                                           {"pair_series", &Result::pair_series, 3},
                                           {"per_link", &Result::per_link},
                                           {"roots", &Result::roots, 7},
                                           {"culprits", &Result::culprits, 3},
                                           {"per_flow", &Result::per_flow},
                                           {"flow_roots", &Result::flow_roots, 3},
                                           {"trees", &Result::trees, 1, true},
                                           {"tree_series", &Result::tree_series, 2, true},
                                           {"stalls", &Result::stalls, 0, true},
                                           {"cut_off", &Result::cut_off},
                                           {"per_stage", &Result::per_stage}};
  return kTables;
}

bool alike(const Result& a, const Result& b) {
  return std::ranges::equal(a.metrics, b.metrics, {}, kName, kName) &&
         std::ranges::all_of(result_tables(), [&](const NamedTable& named) {
           return std::ranges::equal(a.*named.table, b.*named.table, {}, &Column::name, &Column::name);
         });
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

}  // namespace headway
