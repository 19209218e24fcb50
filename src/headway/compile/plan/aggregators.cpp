// SPDX-License-Identifier: Apache-2.0
#include "headway/compile/plan/parts.h"

#include <fmt/format.h>

#include <memory>
#include <utility>
#include <vector>

namespace headway {
namespace {

// Reports what aggregators cannot be used with. Choice: a packet of an aggregator takes one link between
// switches, in the only lane; so it neither needs lanes nor takes part in choices.
void check_aggregators(const EventSpec& spec, const Routes& routes, Mistakes& mistakes) {
  const std::string_view hint = "choose another algorithm of the program, or another routing";
  if (routes.lane_count() > 1)
    mistakes.add("routing.algorithm",
                 fmt::format("\"{}\" has {} lanes, and messages of switches that reduce know none",
                             spec.routing.algorithm.name, routes.lane_count()),
                 std::string(hint));
  else if (routes.detours)
    mistakes.add("routing.algorithm",
                 fmt::format("\"{}\" has detours, and messages of switches that reduce take none",
                             spec.routing.algorithm.name),
                 std::string(hint));
  if (spec.routing.reroute_after)
    mistakes.add("routing.reroute_after", "switches that reduce keep their links when other routes change",
                 "omit it, or choose another algorithm of the program");
  refuse_what_needs_one_link(spec, "where switches reduce", mistakes);
}

}  // namespace

void plan_aggregators(PlanSource& from, bool has_routes, Plan& plan) {
  if (plan.aggregators.empty()) return;
  const Graph without = *plan.graph;
  plan.graph = std::make_shared<const Graph>(with_aggregators(without, plan.aggregators));
  if (!has_routes) return;
  check_aggregators(from.spec, plan.routes, plan.mistakes);
  std::vector<RouteTable::ShortRoute> routes;
  NodeId node = without.nodes();  // links of aggregators come in the order of their ports
  for (const Aggregator& aggregator : plan.aggregators)
    for (const std::uint32_t local : aggregator.ports) {
      const PortId peer = without.peer_of(without.port(aggregator.sw, local));
      RouteTable::ShortRoute& route = routes.emplace_back();
      route.sw = aggregator.sw;
      route.port =
          static_cast<std::uint16_t>(plan.graph->local(plan.graph->peer_of(plan.graph->node_port(node++))));
      if (without.is_node_port(peer)) continue;
      route.from = without.switch_of(peer);
      route.port_from = static_cast<std::uint16_t>(without.local(peer));
    }
  plan.routes.table.add_short_routes(without.nodes(), std::move(routes));
  plan.bottlenecks = std::make_shared<const Bottlenecks>();  // ports have other numbers
  from.routes += "\naggregators";
  for (const Aggregator& aggregator : plan.aggregators)
    for (const std::uint32_t port : aggregator.ports)
      from.routes += fmt::format(" {}:{}", aggregator.sw, port);
}

}  // namespace headway
