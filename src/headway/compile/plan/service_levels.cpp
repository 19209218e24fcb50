// SPDX-License-Identifier: Apache-2.0
// The service levels of a spec (docs/modelling.md, "Service levels").
#include "headway/compile/plan/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "headway/queueing/service_tables.h"

namespace headway {
namespace {

// The key of the first flow, trace or job that the spec has.
std::string_view first_traffic(const TrafficSpec& traffic) {
  return !traffic.flows.empty()    ? "traffic.flow[0]"
         : !traffic.traces.empty() ? "traffic.trace[0]"
                                   : "traffic.job[0]";
}

}  // namespace

std::vector<std::uint8_t> named_service_levels(const EventSpec& spec) {
  const TrafficSpec& traffic = spec.traffic;
  std::set<std::uint8_t> levels;
  const auto add = [&](const std::optional<std::int64_t>& level) {
    if (level) levels.insert(static_cast<std::uint8_t>(*level));
  };
  for (const FlowSpec& flow : traffic.flows) add(flow.service_level);
  for (const TraceSpec& trace : traffic.traces) add(trace.service_level);
  for (const JobSpec& job : traffic.jobs) add(job.service_level);
  if (spec.node.notification_packet.count > 0) add(spec.node.notification_service_level);
  return {levels.begin(), levels.end()};
}

ServiceLevels service_levels_of(const EventSpec& spec, const Graph& graph, Mistakes& mistakes) {
  const SwitchSpec& switches = spec.switches;
  ServiceLevels services;
  services.lanes = static_cast<std::uint32_t>(switches.lanes);
  services.named = named_service_levels(spec);
  std::uint32_t levels = services.named.empty() ? 1 : services.named.back() + 1U;
  if (switches.service_levels.named()) {
    std::optional<PairLevels> of_pair = read_pair_levels(graph, switches.service_levels, mistakes);
    if (!of_pair) return services;
    for (const std::uint8_t level : of_pair->level) levels = std::max(levels, level + 1U);
    services.of_pair = *std::move(of_pair);
  }
  services.table = LaneTable::modulo(levels, services.lanes);
  if (switches.lane_table.named()) {
    std::optional<LaneTable> table =
        read_lane_table(graph, switches.lane_table, services.lanes, levels, mistakes);
    if (table) services.table = *std::move(table);
  } else if (services.lanes > 1 && levels == 1) {
    mistakes.add("switch.lanes", "all packets have service level 0, so that they use one lane",
                 fmt::format("set {}.service_level, switch.service_levels_file or switch.lane_table_file",
                             first_traffic(spec.traffic)));
  }
  return services;
}

}  // namespace headway
