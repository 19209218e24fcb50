// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "headway/compile/plan/parts.h"

namespace headway {
namespace {

std::optional<QueueMap> map_of_scheme(const SwitchSpec& switches, const Graph& graph, Mistakes& mistakes) {
  try {
    QueueMap map = switches.scheme->build(graph);
    if (switches.virtual_channels == 1 || map.channels == 1) return map;
    mistakes.add("switch.virtual_channels",
                 fmt::format("the queues of \"{}\" are already virtual channels", switches.scheme.name),
                 "set it to 1 with this scheme");
  } catch (const SpecError& error) {
    mistakes.add_all(error.mistakes());
  }
  return std::nullopt;
}

// Returns false if a port has more queues than the engine can number; then, no other rule is checked.
bool can_number(const QueueMap& of_scheme, const EventSpec& spec, Plan& plan) {
  NetworkOptions options;
  options.follow(plan.routes);
  options.overflow = spec.switches.scheme->overflow(plan.graph->nodes());
  const std::int64_t channels = spec.switches.virtual_channels;
  if (!has_too_many_queues(options, std::uint64_t{of_scheme.queues} * static_cast<std::uint64_t>(channels)))
    return true;
  const bool is_map = !options.overflow;  // channels and lanes repeat the queues of maps only
  const std::uint64_t queues = is_map ? of_scheme.queues : queues_of_port(options, 1);
  struct Factor {
    std::string_view key, what;
    std::uint64_t value;
  };
  const Factor factors[] = {
      {"switch.virtual_channels", "virtual channels", static_cast<std::uint64_t>(channels)},
      {spec.switches.lanes > 1 ? "switch.lanes" : "routing.algorithm", "lanes", options.lanes}};
  std::string key = "switch.scheme", places, advice;
  std::uint64_t all = queues;
  for (const auto& [key_of_factor, what, value] : factors) {
    if (!is_map || value == 1) continue;
    places += fmt::format("{} {} {}", places.empty() ? " in each of" : " of each of", value, what);
    if (all <= kMostQueuesPerPort) {  // without this factor, the queues can be numbered
      key = key_of_factor;
      const std::uint64_t most = kMostQueuesPerPort / all;
      advice = most == 1 ? " in all"
                         : fmt::format(" in all, so at most {} {} with {} queues each", most, what, all);
    }
    all *= value;
  }
  plan.mistakes.add(
      std::move(key),
      fmt::format("\"{}\" needs {} queues per port in this network{}", spec.switches.scheme.name, queues,
                  places.empty() ? "" : fmt::format("{}, {} in all", places, all)),
      fmt::format("at most {}{}", kMostQueuesPerPort, advice));
  return false;
}

}  // namespace

bool plan_queues(const EventSpec& spec, Plan& plan) {
  std::optional<QueueMap> map = map_of_scheme(spec.switches, *plan.graph, plan.mistakes);
  if (!map || !can_number(*map, spec, plan)) return false;
  plan.map = with_virtual_channels(spec.switches, *std::move(map));
  return true;
}

void check_queues(const EventSpec& spec, Mistakes& mistakes) {
  const SwitchSpec& switches = spec.switches;
  if (switches.output_arbiter != OutputArbiter::weighted_round_robin && !switches.weights.empty())
    mistakes.add("switch.weights", "no arbiter uses weights",
                 "switch.output_arbiter = \"weighted-round-robin\" uses them");
  switches.scheme->check(mistakes);
  if (switches.scheme->pools_memory() && switches.queue_memory)
    mistakes.add(
        "switch.queue_memory",
        fmt::format("the queues of a port share its memory with scheme \"{}\"", switches.scheme.name),
        "use switch.input_memory");
}

}  // namespace headway
