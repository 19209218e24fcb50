// SPDX-License-Identifier: Apache-2.0
#include "headway/compile/build.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "headway/compile/cut_off.h"
#include "headway/compile/hosts.h"
#include "headway/compile/plan.h"
#include "headway/compile/plan/jobs.h"
#include "headway/compile/plan/parts.h"
#include "headway/compile/tick.h"
#include "headway/compile/trace.h"
#include "headway/spec/what_if.h"
#include "headway/spec/write_spec.h"

namespace headway {
namespace {

// Sources of a flow share a Flow if these values are equal.
struct SourceKind {
  double ticks_per_byte;  // at a load of 1 (load_rate)
  double part;            // of the flow's load
  Tick stagger;           // what_if.stagger
  friend auto operator<=>(const SourceKind&, const SourceKind&) = default;
};

LoadPlan load_plan(const FlowSpec& flow, const SourceKind& kind, const Duration& tick) {
  LoadPlan plan;
  for (const LoadSpec::Point& point : flow.load.points)
    plan.points.push_back({ticks(point.at, tick), point.load * kind.part});
  plan.ramp = flow.load.change == Transition::ramp;
  if (flow.start) plan.start = ticks(*flow.start, tick);
  plan.start += kind.stagger;
  if (flow.stop) plan.stop = ticks(*flow.stop, tick);
  return plan;
}

// [node of the graph] a time below a nanosecond, in ticks; of value 0, none.
std::vector<Tick> staggers_of(std::int64_t value, std::uint32_t nodes, const Duration& tick) {
  std::vector<Tick> staggers(nodes, 0);
  if (value == 0) return staggers;
  constexpr Tick kMost = 8;  // each makes a copy of a flow
  const auto most = std::clamp<Tick>(static_cast<Tick>(1 / tick.ns.to_double()), 2, kMost);
  for (NodeId node = 0; node < nodes; ++node)
    staggers[node] = static_cast<Tick>(Rng(static_cast<std::uint64_t>(value), StreamKind::placement, node)
                                           .below(static_cast<std::uint32_t>(most)));
  return staggers;
}

struct NoMessages final : MessageList {
  struct Cursor final : MessageCursor {
    std::optional<TimedMessage> next() override { return std::nullopt; }
  };
  std::unique_ptr<MessageCursor> open() const override { return std::make_unique<Cursor>(); }
};

// The service level of a flow, trace or job. It has no effect in networks without lanes for it.
std::optional<std::uint8_t> service_of(const std::optional<std::int64_t>& level, const Network& network) {
  if (!level || network.routes.lanes.service_lanes() == 1) return std::nullopt;
  return static_cast<std::uint8_t>(*level);
}

Flow build_flow(const FlowSpec& spec, const Network& network, const SourceKind& kind,
                std::shared_ptr<const Destinations> destinations) {
  Flow flow;
  const Framing framing = network.framing();
  const SizeDistribution sizes = spec.sizes->build(framing.payload);
  if (!sizes.fixed()) flow.sizes = std::make_shared<const SizeDistribution>(sizes);
  const PacketsOfMessage cut = framing.cut(sizes.least());
  flow.packets = cut.packets;
  flow.last_bytes = cut.last;
  flow.destinations = std::move(destinations);
  const LoadPlan plan = load_plan(spec, kind, network.tick);
  flow.start = plan.start;
  flow.stop = plan.stop;
  flow.service = service_of(spec.service_level, network);
  const double bytes = framing.mean_frames(sizes);
  const double message_ticks = bytes * kind.ticks_per_byte;
  const std::int64_t whole_ticks = std::max<std::int64_t>(1, std::llround(message_ticks));
  flow.load = compile(plan, whole_ticks);
  flow.bytes_per_tick = bytes / message_ticks;
  flow.arrivals = spec.arrivals->build({flow.load, message_ticks});
  flow.backlog = spec.arrivals->backlog();
  // a saturated source sends as much as its link carries, whatever its load
  if (flow.arrivals == nullptr)
    flow.load = compile({.points = {{0, 1.0}}, .start = plan.start, .stop = plan.stop}, whole_ticks);
  return flow;
}

// The first flows of the workload are those of the spec, in order. Copies follow for nodes whose links have a
// different rate or that generate a different part of the load.
Workload build_workload(const EventSpec& spec, const Network& network, Plan& plan,
                        const std::vector<Tick>& staggers, std::vector<std::uint32_t>& flow_of_spec,
                        CutOff& cut_off, CancelFlag cancelled) {
  const std::vector<std::vector<NodeId>>& nodes_of = *plan.senders;
  const NodeSpace space = NodeSpace::of(*spec.network.topology);
  const Graph& graph = network.graph;
  // of a node of the spec
  const auto kind_of = [&](NodeId node, const Destinations& of_spec) {
    const bool close = sends_close(graph, of_spec, node);
    const Rational rate = load_rate(graph, node, close);
    const double rest = plan.rates.empty() ? 1 : (load_rate(*plan.placed, node, close) / rate).to_double();
    const double byte_ticks = graph.hosts().none() ? network.ports[network.adapter_port(node)].ticks_per_byte
                                                   : (Rational(1) / (rate * network.tick.ns)).to_double();
    return SourceKind{byte_ticks, of_spec.load_of(node) * rest, staggers[graph.home(node)]};
  };
  const bool is_apart = cut_off.paths && !cut_off.paths->has_all();
  Workload workload;
  std::vector<std::map<SourceKind, std::uint32_t>> numbers;   // [flow of the spec] -> flow
  std::vector<std::shared_ptr<const Destinations>> patterns;  // [flow of the spec] between its nodes
  for (std::uint32_t f = 0; f < nodes_of.size(); ++f) {
    const FlowSpec& flow = spec.traffic.flows[f];
    std::shared_ptr<const Destinations> destinations = flow.pattern->build(space, spec.seed);
    const NodeId first = nodes_of[f].empty() ? 0 : nodes_of[f].front();
    if (is_apart) {
      const auto left =
          std::make_shared<const DestinationsLeft>(std::move(destinations), cut_off.paths, nodes_of[f]);
      for (const NodeId node : nodes_of[f]) cut_off.left.push_back(left->share_left(node));
      destinations = left;
    }
    patterns.push_back(destinations);
    const SourceKind kind = kind_of(first, *destinations);
    workload.flows.push_back(
        build_flow(flow, network, kind, between_homes(std::move(destinations), network.shared_graph)));
    numbers.push_back({{kind, f}});
    flow_of_spec.push_back(f);
  }
  for (std::uint32_t f = 0; f < nodes_of.size(); ++f)
    for (const NodeId node : spec.traffic.flows[f].absent ? std::span<const NodeId>() : nodes_of[f]) {
      const auto next = static_cast<std::uint32_t>(workload.flows.size());
      const auto [found, fresh] = numbers[f].emplace(kind_of(node, *patterns[f]), next);
      if (fresh) {
        workload.flows.push_back(
            build_flow(spec.traffic.flows[f], network, found->first, workload.flows[f].destinations));
        workload.flows.back().copy_of = f;
        flow_of_spec.push_back(f);
      }
      workload.sources.push_back({graph.home(node), found->second});
      if (!graph.hosts().none()) workload.node_of_spec.push_back(node);
    }
  for (const TraceSpec& spec_of_trace : spec.traffic.traces) {
    if (spec_of_trace.absent) {
      workload.traces.push_back({.messages = std::make_shared<const NoMessages>(), .senders = {}});
      continue;
    }
    TracePlan& its = plan.traces[workload.traces.size()];
    its.window.cancelled = cancelled;
    Trace trace = build_trace(std::move(its.window), its.compression,
                              ticks(spec_of_trace.start, network.tick), network.tick);
    trace.service = service_of(spec_of_trace.service_level, network);
    trace.messages = between_homes(std::move(trace.messages), network.shared_graph);
    turn_into_homes(trace.senders, graph);
    if (is_apart)
      trace.messages = std::make_shared<const MessagesLeft>(std::move(trace.messages), cut_off.paths);
    workload.traces.push_back(std::move(trace));
  }
  return workload;
}

}  // namespace

Model build(const EventSpec& spec, Plan plan, CancelFlag cancelled) {
  Network network(std::move(plan.graph), std::move(plan.routes), std::move(plan.map), plan.options);
  const Duration& tick = plan.options.tick;
  const std::vector<Tick> staggers = staggers_of(spec.what_if.stagger, network.nodes(), tick);
  std::vector<std::uint32_t> flow_of_spec;
  CutOff cut_off;
  if (spec.network.faults.unreachable == Unreachable::reported)
    cut_off.paths = std::make_shared<const PathsLeft>(network.shared_graph, network.routes.table);
  Workload workload = build_workload(spec, network, plan, staggers, flow_of_spec, cut_off, cancelled);
  workload.allocation = spec.traffic.allocation;
  std::uint32_t in_file = kNone;
  for (JobPlan& its : plan.jobs) {
    const JobSpec& of_job = spec.traffic.jobs[workload.jobs.size()];
    if (of_job.copy == 0) ++in_file;
    Job& job = workload.jobs.emplace_back(build_job(of_job, std::move(its), tick));
    job.number_in_file = in_file;
    job.start = start_of(of_job, in_file, spec.seed, tick);
    job.service = service_of(of_job.service_level, network);
    turn_into_homes(job.nodes, network.graph);
    if (job.pool && network.has_hosts()) {
      std::vector<NodeId> homes = *job.pool;
      turn_into_homes(homes, network.graph);
      job.pool = std::make_shared<const std::vector<NodeId>>(std::move(homes));
    }
    if (spec.what_if.stagger == 0) continue;
    for (const NodeId node : job.nodes) job.stagger.push_back(staggers[node]);
  }
  if (network.reaction && network.reaction->notification_bytes > 0) {
    workload.notifies = true;
    workload.notification_service = service_of(spec.node.notification_service_level, network);
  }
  FlowNumbers flows(workload, flow_of_spec);
  Model model{.network = std::move(network),
              .workload = std::move(workload),
              .warmup = std::nullopt,
              .duration = ticks(spec.measure.duration, tick),
              .flow_of_spec = std::move(flow_of_spec),
              .flows = std::move(flows),
              .need = plan.need};
  model.class_names = std::move(plan.class_names);
  model.classes = std::move(plan.classes);
  model.cut_off = std::move(cut_off);
  model.bottlenecks = std::move(plan.bottlenecks);
  if (spec.measure.warmup) model.warmup = ticks(*spec.measure.warmup, tick);
  if (spec.measure.until == Until::done) model.limit = ticks(spec.measure.limit, tick);
  model.bin = std::max<Tick>(whole_ticks(spec.measure.bin_length(), tick), 1);
  if (model.limit && !spec.measure.bin) model.bin = *model.limit;
  model.interval =
      std::max<Tick>(static_cast<Tick>(spec.observe.interval.ns.to_double() / tick.ns.to_double()), 1);
  return model;
}

Model build(const EventSpec& spec) {
  Memo memo;
  Plan plan = headway::plan(spec, resolved(spec), {.memo = memo});
  plan.mistakes.throw_if_any();
  return build(with_changes(spec), std::move(plan));
}

}  // namespace headway
