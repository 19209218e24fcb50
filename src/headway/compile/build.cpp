// SPDX-License-Identifier: Apache-2.0
#include "headway/compile/build.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "headway/compile/check.h"
#include "headway/compile/tick.h"
#include "headway/compile/trace.h"
#include "headway/spec/write_spec.h"

namespace headway {
namespace {

// The memory is split evenly over the queues and holds whole packets (docs/modelling.md, "Devices").
std::uint32_t packets_per_queue(const Bytes& memory, std::int64_t queues, const Bytes& packet) {
  return static_cast<std::uint32_t>(memory.count / queues / packet.count);
}

Network build_network(const EventSpec& spec, Graph graph, const Duration& tick) {
  RouteTable routes = spec.routing.algorithm->build(graph);
  QueueMap map = queues_of(spec.switches, graph);

  NetworkOptions options;
  options.tick = tick;
  options.routing_delay = ticks(spec.switches.routing_delay, tick);
  options.store_and_forward = spec.switches.switching == Switching::store_and_forward;
  options.holds_faster_links = spec.switches.slow_to_fast == Switching::cut_through;
  options.arbiter = spec.switches.arbiter;
  if (spec.switches.output_arbiter == OutputArbiter::weighted_round_robin) {
    options.weights.assign(spec.switches.weights.begin(), spec.switches.weights.end());
    if (options.weights.empty()) options.weights.assign(map.queues, 1);
  }
  options.credit_bytes = static_cast<std::uint32_t>(spec.switches.credit_packet.count);
  options.admittance = spec.node.admittance;
  const Bytes packet = spec.traffic.packet;
  options.packet_bytes = static_cast<std::uint32_t>(packet.count);
  const Bytes memory = input_memory(spec.switches, map.queues);
  options.capacity = packets_per_queue(memory, map.queues, packet);
  options.injection_capacity =
      packets_per_queue(spec.node.injection_memory.value_or(memory), map.queues, packet);
  if (has_output_stage(spec.switches)) {
    options.output_capacity =
        packets_per_queue(spec.switches.output_memory, output_queues(spec.switches, map), packet);
    options.one_output_queue = spec.switches.output_queues == OutputQueues::one;
    options.crossbar_speedup = speedup_of(spec.switches);
  }
  if (const auto plan = spec.switches.scheme->isolation()) options.isolation = plan->in_ticks(tick);
  options.overflow = spec.switches.scheme->overflow(graph.nodes());
  if (spec.node.admittance_limit)
    options.admittance_limit = static_cast<std::uint64_t>(spec.node.admittance_limit->count / packet.count);
  if (spec.routing.algorithm->adaptive()) {
    options.selection = spec.routing.selection->build(graph);
    options.selection->free = spec.routing.free_output;
  }
  options.in_order =
      spec.routing.algorithm->single_path() && spec.switches.scheme->in_order() && map.channels == 1;
  return {std::move(graph), std::move(routes), std::move(map), options};
}

LoadPlan load_plan(const FlowSpec& flow, const Duration& tick) {
  LoadPlan plan;
  for (const LoadSpec::Point& point : flow.load.points)
    plan.points.push_back({ticks(point.at, tick), point.load});
  plan.ramp = flow.load.change == Transition::ramp;
  if (flow.start) plan.start = ticks(*flow.start, tick);
  if (flow.stop) plan.stop = ticks(*flow.stop, tick);
  return plan;
}

// Loads are fractions of the rate of the node's own link, which takes `ticks_per_byte`.
Flow build_flow(const FlowSpec& spec, const Network& network, std::uint32_t ticks_per_byte,
                std::shared_ptr<const Destinations> destinations) {
  Flow flow;
  const std::int64_t packet = network.packet_bytes;
  const std::int64_t message = spec.message ? spec.message->count : packet;
  flow.packets = static_cast<std::uint32_t>((message + packet - 1) / packet);
  flow.last_bytes = static_cast<std::uint32_t>(message - (flow.packets - 1) * packet);
  flow.destinations = std::move(destinations);
  const LoadPlan plan = load_plan(spec, network.tick);
  flow.start = plan.start;
  flow.stop = plan.stop;
  const std::int64_t message_ticks = message * ticks_per_byte;
  flow.load = compile(plan, message_ticks);
  flow.bytes_per_tick = static_cast<double>(message) / static_cast<double>(message_ticks);
  flow.arrivals = spec.arrivals->build({flow.load, message_ticks});
  flow.backlog = spec.arrivals->backlog();
  if (flow.arrivals == nullptr)  // saturated: as much as the link carries, whatever the load says
    flow.load = compile({.points = {{0, 1.0}}, .start = plan.start, .stop = plan.stop}, message_ticks);
  return flow;
}

// Flows of the workload are those of the spec, in order; behind them stand the copies for nodes with links of
// another rate.
Workload build_workload(const EventSpec& spec, const Network& network,
                        std::vector<std::uint32_t>& flow_of_spec, CancelFlag cancelled) {
  std::vector<FlowSources> wanted;
  for (const FlowSpec& flow : spec.traffic.flows)
    wanted.push_back({flow.sources, "traffic.flow[" + std::to_string(wanted.size()) + "].sources"});
  Mistakes mistakes;
  const auto nodes_of = choose_sources(wanted, network.nodes(), spec.seed, mistakes);
  mistakes.throw_if_any();

  const auto rate_of = [&](NodeId node) { return network.ports[network.adapter_port(node)].ticks_per_byte; };
  Workload workload;
  std::vector<std::map<std::uint32_t, std::uint32_t>> numbers;  // [flow of the spec] ticks per byte -> flow
  for (std::uint32_t f = 0; f < nodes_of.size(); ++f) {
    const FlowSpec& flow = spec.traffic.flows[f];
    const std::uint32_t rate = rate_of(nodes_of[f].empty() ? 0 : nodes_of[f].front());
    workload.flows.push_back(
        build_flow(flow, network, rate, flow.pattern->build(network.nodes(), spec.seed)));
    numbers.push_back({{rate, f}});
    flow_of_spec.push_back(f);
  }
  for (std::uint32_t f = 0; f < nodes_of.size(); ++f)
    for (const NodeId node : nodes_of[f]) {
      const auto next = static_cast<std::uint32_t>(workload.flows.size());
      const auto [found, fresh] = numbers[f].emplace(rate_of(node), next);
      if (fresh) {
        workload.flows.push_back(
            build_flow(spec.traffic.flows[f], network, found->first, workload.flows[f].destinations));
        flow_of_spec.push_back(f);
      }
      workload.sources.push_back({node, found->second});
    }
  for (const TraceSpec& trace : spec.traffic.traces)
    workload.traces.push_back(
        build_trace(trace, network.nodes(), spec.network.link.rate, network.tick, spec.seed, cancelled));
  return workload;
}

}  // namespace

Model build(const EventSpec& spec, CancelFlag cancelled) {
  Mistakes mistakes;
  SpecChecks checks(cancelled);
  checks.check(spec, resolved(spec), mistakes);
  mistakes.throw_if_any();

  Graph graph = spec.network.topology->build(spec.network.link);
  const Duration tick = tick_of(spec, graph.link_classes());
  Network network = build_network(spec, std::move(graph), tick);
  std::vector<std::uint32_t> flow_of_spec;
  Workload workload = build_workload(spec, network, flow_of_spec, cancelled);
  Model model{
      std::move(network),      std::move(workload), std::nullopt, ticks(spec.measure.duration, tick), 0,
      std::move(flow_of_spec), checks.need()};
  if (spec.measure.warmup) model.warmup = ticks(*spec.measure.warmup, tick);
  model.bin =
      spec.measure.bin ? ticks(*spec.measure.bin, tick) : std::max<Tick>(model.duration / kBinsByDefault, 1);
  return model;
}

}  // namespace headway
