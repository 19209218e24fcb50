// SPDX-License-Identifier: Apache-2.0
#include "headway/compile/memory.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "headway/compile/tick.h"
#include "headway/engine/backlog.h"
#include "headway/engine/state.h"
#include "headway/metrics/window.h"
#include "headway/routing/reach.h"

namespace headway {
namespace {

constexpr std::uint64_t kBytesPerQueue = sizeof(Queue) + sizeof(std::uint16_t);  // and its credits
constexpr std::uint64_t kBytesPerGraphPort = 4 * sizeof(PortId) + sizeof(std::uint16_t);
constexpr std::uint64_t kBytesPerPort = kBytesPerGraphPort + sizeof(Port) + sizeof(PortState);
constexpr std::uint64_t kBytesPerNode = 256;  // adapter, source and its random stream

}  // namespace

std::uint64_t reachable_inputs(const Graph& graph, const RouteTable& routes) {
  constexpr std::uint32_t kSample = 64;
  const std::uint32_t sampled = std::min(graph.nodes(), kSample);
  std::uint64_t entered = 0;
  Reach reach(graph, routes);
  for (std::uint32_t i = 0; i < sampled; ++i) {
    const auto destination = static_cast<NodeId>(std::uint64_t{i} * graph.nodes() / sampled);
    reach.follow(destination, [&](PortId, PortId) { ++entered; });
    entered += graph.nodes();  // injection queues are as at the leaf switch
  }
  return entered * graph.nodes() / sampled;
}

std::uint64_t graph_memory(const Topology& topology) {
  constexpr std::uint64_t kBytes = 20;  // per port, with its peer, link and owner
  return kBytes * static_cast<std::uint64_t>(topology.switch_ports() + topology.nodes());
}

std::uint64_t network_memory(const Topology& topology) {
  const auto nodes = static_cast<std::uint64_t>(topology.nodes());
  const auto ports = static_cast<std::uint64_t>(topology.switch_ports()) + nodes;
  return ports * (kBytesPerPort + kBytesPerQueue) + nodes * kBytesPerNode;
}

namespace {

std::uint64_t queue_count(const PlannedRun& run) {
  const SwitchSpec& switches = run.spec.switches;
  const std::uint64_t ports = run.graph.ports(), queues = run.map.queues;
  std::uint64_t count = ports * queues;
  if (Network::keeps_reachable_queues_only(run.map)) count = std::min(run.reachable(), count);
  if (const auto plan = switches.scheme->isolation()) count += ports * plan->rules.lines;
  if (const auto rules = switches.scheme->overflow(run.graph.nodes()))
    count += ports * Overflow::queues(*rules);
  // output stages: a device per switch port, with as many queues as an input port
  if (has_output_stage(switches)) count += run.graph.switch_ports() * queues;
  return count;
}

std::uint64_t network_memory(const PlannedRun& run) {
  const Graph& graph = run.graph;
  const SwitchSpec& switches = run.spec.switches;
  const std::uint64_t ports = graph.ports(), nodes = graph.nodes(), words = (graph.max_radix() + 63) / 64;
  std::uint64_t bytes = ports * kBytesPerPort + nodes * kBytesPerNode + graph.switches() * sizeof(Device);
  if (words > 1) bytes += (ports + 4 * (graph.switches() + nodes)) * words * sizeof(std::uint64_t);

  bytes += queue_count(run) * kBytesPerQueue;
  if (Network::keeps_reachable_queues_only(run.map))
    bytes += ports * ((run.map.queues + 63) / 64) * (sizeof(std::uint64_t) + sizeof(std::uint32_t));
  std::uint64_t lists = 0;
  if (run.map.queues > 1 && (run.map.key != QueueKey::output || run.map.channels > 1)) lists = 1;
  if (switches.scheme->pools_memory()) ++lists;
  std::uint64_t crossings = 0;
  for (SwitchId sw = 0; lists > 0 && sw < graph.switches(); ++sw)
    crossings += std::uint64_t{graph.radix(sw)} * graph.radix(sw);
  bytes += (lists * crossings + (run.map.queues > 1 ? nodes : 0)) * sizeof(RequestList);
  if (const auto plan = switches.scheme->isolation()) bytes += Isolation::bytes(plan->rules, ports, nodes);
  if (const auto rules = switches.scheme->overflow(graph.nodes()))
    bytes += Overflow::bytes(*rules, ports, nodes);
  if (has_output_stage(switches))
    bytes += graph.switch_ports() * (sizeof(Port) + sizeof(PortState) + sizeof(Device) + sizeof(RequestList));
  return bytes + Wheel::bytes(run.horizon);
}

// When the last flow starts, stops or steps, in ns; the end of a warm-up is looked for from there.
Rational last_change(const EventSpec& spec) {
  Rational last = 0;
  for (const FlowSpec& flow : spec.traffic.flows) {
    for (const LoadSpec::Point& point : flow.load.points) last = std::max(last, point.at.ns);
    if (flow.start) last = std::max(last, flow.start->ns);
    if (flow.stop) last = std::max(last, flow.stop->ns);
  }
  return last;
}

Rational longest_time(const EventSpec& spec) {
  const MeasureSpec& measure = spec.measure;
  return measure.warmup ? measure.warmup->ns + measure.duration.ns
                        : last_change(spec) + measure.duration.ns * Rational(1 + kWarmupLimit);
}

double bins_of(const EventSpec& spec) {
  const MeasureSpec& measure = spec.measure;
  const Rational bin = measure.bin ? measure.bin->ns : measure.duration.ns / Rational(kBinsByDefault);
  return std::ceil((longest_time(spec) / bin).to_double());
}

// Of what is read of a run, as numbers and, at the end, as text.
double results_memory(const PlannedRun& run) {
  constexpr double kRead = sizeof(std::uint64_t), kNumber = sizeof(double) + 20, kColumns = 12;
  const MeasureSpec& measure = run.spec.measure;
  const auto nodes = static_cast<double>(run.graph.nodes());
  const double bins = bins_of(run.spec);
  double bytes = bins * (sizeof(Reading) + kColumns * kNumber);
  if (measure.has(ExtraTable::destination_series)) bytes += bins * nodes * (kRead + kNumber);
  if (measure.has(ExtraTable::port_series) && run.spec.switches.scheme->isolation())
    bytes += bins * run.graph.switch_ports() * (1 + kNumber);
  if (measure.has(ExtraTable::per_pair) || measure.has(ExtraTable::pair_series))
    bytes += 3 * nodes * nodes * kRead;
  if (measure.has(ExtraTable::per_pair)) bytes += 5 * nodes * nodes * kNumber;
  if (measure.has(ExtraTable::pair_series)) {
    Rate fastest{0};
    for (const Link& link : run.graph.link_classes()) fastest = std::max(fastest, link.rate);
    bytes += most_pair_rows(run.spec, fastest) * (2 * kRead + 4 * kNumber);
  }
  return bytes;
}

struct Offered {
  double messages = 0;
  double packets = 0;
  double sources = 0;          // that can have a backlog
  double least_packets = 1e9;  // of a message
};

// By how much time a flow is active, times its load.
double loaded_time(const FlowSpec& flow, double end) {
  const double from = flow.start ? flow.start->ns.to_double() : 0;
  const double to = flow.stop ? std::min(flow.stop->ns.to_double(), end) : end;
  const std::vector<LoadSpec::Point>& points = flow.load.points;
  double sum = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const bool last = i + 1 == points.size();
    const double begins = points[i].at.ns.to_double(), ends = last ? end : points[i + 1].at.ns.to_double();
    const double load = flow.load.change == Transition::ramp && !last
                            ? std::max(points[i].load, points[i + 1].load)
                            : points[i].load;
    sum += load * std::max(0.0, std::min(ends, to) - std::max(begins, from));
  }
  return sum;
}

Offered offered(const PlannedRun& run) {
  double fastest = 0;  // bytes per ns into the network
  for (NodeId node = 0; node < run.graph.nodes(); ++node)
    fastest = std::max(fastest, run.graph.link(run.graph.node_port(node)).rate.bytes_per_ns.to_double());
  Offered all;
  for (std::size_t f = 0; f < run.sources.size(); ++f) {
    const FlowSpec& flow = run.spec.traffic.flows[f];
    const Bytes message = flow.message.value_or(run.spec.traffic.packet);
    const auto nodes = static_cast<double>(run.sources[f]);
    const double packets =
        std::ceil(static_cast<double>(message.count) / static_cast<double>(run.spec.traffic.packet.count));
    double messages = nodes * loaded_time(flow, longest_time(run.spec).to_double()) * fastest /
                      static_cast<double>(message.count);
    messages += nodes + 5 * std::sqrt(messages);  // by chance
    const std::uint32_t backlog = flow.arrivals->backlog();
    if (backlog > 0) messages = nodes * backlog;  // of a saturated source: what it keeps waiting
    all.messages += messages;
    all.packets += backlog > 0 ? 1e18 : messages * packets;
    all.sources += nodes;
    all.least_packets = std::min(all.least_packets, packets);
  }
  if (run.spec.node.admittance_limit) {
    const std::int64_t room = run.spec.node.admittance_limit->count / run.spec.traffic.packet.count;
    all.messages =
        std::min(all.messages, run.graph.nodes() * (static_cast<double>(room) / all.least_packets + 1));
  }
  return all;
}

// Packets that the memories of the network hold.
double capacity(const PlannedRun& run) {
  const SwitchSpec& switches = run.spec.switches;
  const auto packets = [&](Bytes memory) {
    return static_cast<double>(memory.count) / static_cast<double>(run.spec.traffic.packet.count);
  };
  const double input = packets(input_memory(switches, run.map.queues));
  const double output = has_output_stage(switches) ? packets(switches.output_memory) : 0;
  const double injection = run.spec.node.injection_memory ? packets(*run.spec.node.injection_memory) : input;
  return run.graph.switch_ports() * (input + output) + run.graph.nodes() * (injection + 1);
}

std::uint64_t whole(double bytes) { return static_cast<std::uint64_t>(std::min(bytes, 1e18)); }

}  // namespace

MemoryNeed memory_need(const PlannedRun& run) {
  constexpr double kBytesPerPair = 4 * 16;  // of a table of which at least a quarter is in use
  const auto nodes = static_cast<double>(run.graph.nodes());
  const Offered offered = headway::offered(run);
  const double pairs = std::min(offered.packets, nodes * nodes);
  const bool in_order = run.spec.routing.algorithm->single_path() && run.spec.switches.scheme->in_order() &&
                        run.map.channels == 1;
  const double waited_for = run.spec.node.admittance == Admittance::fifo ? nodes : nodes * nodes;

  MemoryNeed need;
  need.start = network_memory(run) + whole(results_memory(run));
  need.checking =
      queue_count(run) * 3 * sizeof(std::uint32_t) + (in_order ? whole(pairs * kBytesPerPair) : 0);
  // a pool of packets grows by doubling
  need.traffic =
      whole(2 * kBytesPerPacket * std::min(offered.packets, capacity(run)) +
            static_cast<double>(kBytesPerWaitingMessage) * offered.messages +
            static_cast<double>(kBytesPerAdmittanceQueue) * std::min(offered.messages, waited_for) +
            (in_order ? 0 : pairs * kBytesPerPair));
  return need;
}

MemoryNeed memory_need(const EventSpec& spec) {
  const Graph graph = spec.network.topology->build(spec.network.link);
  const QueueMap map = queues_of(spec.switches, graph);
  std::vector<FlowSources> wanted;
  for (const FlowSpec& flow : spec.traffic.flows) wanted.push_back({flow.sources, "sources"});
  Mistakes none;
  std::vector<std::size_t> sources;
  for (const auto& of_flow : choose_sources(wanted, graph.nodes(), spec.seed, none))
    sources.push_back(of_flow.size());
  return memory_need({spec, graph, map,
                      [&] { return reachable_inputs(graph, spec.routing.algorithm->build(graph)); },
                      longest_hop(spec, graph.link_classes(), tick_of(spec, graph.link_classes())), sources});
}

double most_pair_rows(const EventSpec& spec, Rate fastest) {
  const MeasureSpec& measure = spec.measure;
  const Rational bin = measure.bin ? measure.bin->ns : measure.duration.ns / Rational(kBinsByDefault);
  std::int64_t smallest = spec.traffic.traces.empty() ? spec.traffic.packet.count : 1;
  for (const FlowSpec& flow : spec.traffic.flows)
    if (flow.message)
      if (const std::int64_t rest = flow.message->count % spec.traffic.packet.count; rest > 0)
        smallest = std::min(smallest, rest);
  const auto nodes = static_cast<double>(spec.network.topology->nodes());
  const double packets =
      1 + (bin * fastest.bytes_per_ns).to_double() / static_cast<double>(smallest);  // of a destination
  return bins_of(spec) * nodes * std::min(nodes, packets);
}

}  // namespace headway
