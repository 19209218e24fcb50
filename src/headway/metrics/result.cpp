// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/result.h"

#include <algorithm>
#include <limits>

namespace headway {
namespace {
constexpr auto kName = &std::pair<std::string, double>::first;
}  // namespace

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
                                           {"trees", &Result::trees, 1, true},
                                           {"tree_series", &Result::tree_series, 2, true},
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
  if (column == "source" || column == "destination" || column == "from_node" || column == "to_node")
    return Numbered::nodes;
  return column == "from_switch" || column == "to_switch" ? Numbered::switches : Numbered::nothing;
}

double Result::metric(std::string_view name) const {
  for (const auto& [metric_name, value] : metrics)
    if (metric_name == name) return value;
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace headway
