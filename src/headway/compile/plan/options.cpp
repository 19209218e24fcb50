// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "headway/compile/plan/parts.h"
#include "headway/compile/tick.h"

namespace headway {

namespace {

// How often packets choose among outputs.
void plan_followers(const EventSpec& spec, const Graph& graph, const Routes& routes, const Duration& tick,
                    NetworkOptions& options) {
  const RoutingSpec& routing = spec.routing;
  if (routing.choose_per == ChoosePer::packet) return;
  if (!routing.algorithm->adaptive()) {
    options.draws_by_message = routing.algorithm->draws() && routing.choose_per == ChoosePer::message;
    return;
  }
  FollowRule rule;
  rule.by_message = routing.choose_per == ChoosePer::message;
  rule.gap = rule.by_message ? 0 : ticks(routing.gap_of_flowlets(), tick);
  const std::uint64_t flows = std::uint64_t{graph.nodes()} * graph.nodes() * routes.lanes.services();
  const auto most = static_cast<std::uint64_t>(routing.flow_table.value_or(kFlowTable));
  rule.entries = static_cast<std::uint32_t>(std::min(flows, most));
  rule.shares = flows > most;
  options.follow_rule = rule;
}

// Reports flowlets that nobody could tell. As with other keys of adaptive routing, those
// that a routing does not read are no mistakes, so that sweeps can have others.
void check_followers(const RoutingSpec& routing, Mistakes& mistakes) {
  if (routing.choose_per != ChoosePer::flowlet) return;
  if (!routing.algorithm->adaptive() && routing.algorithm->draws())
    mistakes.add("routing.choose_per",
                 fmt::format("\"{}\" draws paths before packets are at switches, which alone know gaps",
                             routing.algorithm.name),
                 "use \"message\", or algorithm = \"adaptive\", whose selection \"rp\" draws");
}

}  // namespace

NetworkOptions network_options(const EventSpec& spec, const Graph& graph, const Routes& routes,
                               const QueueMap& map, const Duration& tick, std::span<const JobPlan> jobs) {
  const SwitchSpec& switches = spec.switches;
  NetworkOptions options;
  options.follow(routes);
  options.by_destination &= spec.routing.algorithm->by_destination();  // in every network, not by chance
  const std::uint32_t queues = map.queues * options.lanes;
  options.tick = tick;
  options.routing_delay = ticks(switches.routing_delay, tick);
  options.store_and_forward = switches.switching == Switching::store_and_forward;
  options.holds_faster_links = switches.slow_to_fast == Switching::cut_through;
  options.arbiter = switches.arbiter;
  if (switches.output_arbiter == OutputArbiter::weighted_round_robin) {
    options.weights.assign(switches.weights.begin(), switches.weights.end());
    if (options.weights.empty()) options.weights.assign(queues, 1);
  }
  options.turns = lane_turns_of(spec, options.lanes);
  options.credit_bytes = static_cast<std::uint32_t>(switches.credit_packet.count);
  options.admittance = spec.node.admittance;
  options.packet_bytes = static_cast<std::uint32_t>(spec.traffic.frame().count);
  options.header_bytes = static_cast<std::uint32_t>(spec.traffic.header.count);
  options.least_frame = static_cast<std::uint32_t>(spec.traffic.minimum_frame.count);
  if (switches.cell) options.cell_bytes = static_cast<std::uint32_t>(switches.cell->count);
  if (const auto plan = switches.scheme->isolation()) options.isolation = plan->in_ticks(tick);
  options.overflow = switches.scheme->overflow(graph.nodes());
  if (spec.node.admittance_limit)
    options.admittance_limit =
        static_cast<std::uint64_t>(spec.node.admittance_limit->count / slot_of(spec).count);
  Mistakes reported_before;
  const std::vector<Rational> rates = receive_rates(spec, graph.nodes_of_spec(), reported_before);
  for (NodeId node = 0; !rates.empty() && node < graph.nodes(); ++node) {
    const NodeId of_spec = graph.node_of_spec(node);
    options.receive_rate.push_back(of_spec < rates.size() ? rates[of_spec]
                                                          : Rational(0));  // no aggregator is slow
  }
  options.one_output_queue = has_output_units(switches) && switches.output_queues == OutputQueues::one;
  options.output_queued = switches.architecture == Architecture::oq;
  if (has_output_units(switches)) options.crossbar_speedup = speedup_of(switches);
  options.pause = pause_rules(spec, graph, packet_lengths(spec, jobs), options);
  options.shares_lanes = !options.pause && switches.flow_control->shares_lanes();
  plan_room(spec, graph, queues, options);
  if (options.pause) set_thresholds(spec, options);
  plan_control(spec, graph, map, options);
  plan_followers(spec, graph, routes, tick, options);
  options.link_rule = spec.routing.node_link;
  options.link_salt = spec.seed;
  options.one_path = (spec.routing.algorithm->single_path() || options.by_destination) &&
                     switches.scheme->in_order() && map.channels == 1;
  options.in_order = options.one_path && (switches.lanes == 1 || named_service_levels(spec).empty());
  return options;
}

void plan_options(const EventSpec& spec, const Duration& tick, Plan& plan) {
  plan.options = network_options(spec, *plan.graph, plan.routes, plan.map, tick, plan.jobs);
}

void check_options(const EventSpec& spec, Plan& plan) {
  check_followers(spec.routing, plan.mistakes);
  check_legal(spec, plan);
  check_pauses(spec, plan.options, plan.mistakes);
  check_control(spec, plan.map, plan.options, plan.mistakes);
}

}  // namespace headway
