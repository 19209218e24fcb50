// SPDX-License-Identifier: Apache-2.0
#include "headway/experiment/memory.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "headway/engine/state.h"
#include "headway/experiment/tick.h"
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

std::uint64_t network_memory(const Topology& topology) {
  const auto nodes = static_cast<std::uint64_t>(topology.nodes());
  const auto ports = static_cast<std::uint64_t>(topology.switch_ports()) + nodes;
  return ports * (kBytesPerPort + kBytesPerQueue) + nodes * kBytesPerNode;
}

std::uint64_t estimate_memory(const Graph& graph, const std::function<std::uint64_t()>& reachable,
                              const SwitchSpec& switches, const QueueMap& map, Tick horizon) {
  const std::uint64_t ports = graph.ports(), nodes = graph.nodes(), words = (graph.max_radix() + 63) / 64;
  std::uint64_t bytes = ports * kBytesPerPort + nodes * kBytesPerNode + graph.switches() * sizeof(Device);
  if (words > 1) bytes += (ports + 4 * (graph.switches() + nodes)) * words * sizeof(std::uint64_t);

  if (Network::keeps_reachable_queues_only(map)) {
    bytes += std::min(reachable(), ports * map.queues) * kBytesPerQueue;
    bytes += ports * ((map.queues + 63) / 64) * (sizeof(std::uint64_t) + sizeof(std::uint32_t));
  } else {
    bytes += ports * map.queues * kBytesPerQueue;
  }
  if (map.queues > 1) {
    std::uint64_t lists = nodes;
    if (map.key != QueueKey::output || map.channels > 1)
      for (SwitchId sw = 0; sw < graph.switches(); ++sw)
        lists += std::uint64_t{graph.radix(sw)} * graph.radix(sw);
    bytes += lists * sizeof(RequestList);
  }
  if (const auto plan = switches.scheme->isolation()) {
    bytes += Isolation::bytes(plan->rules, ports, graph.nodes()) + ports * plan->rules.lines * kBytesPerQueue;
  }
  if (const auto rules = switches.scheme->overflow(graph.nodes()))
    bytes +=
        Overflow::bytes(*rules, ports, graph.nodes()) + ports * Overflow::queues(*rules) * kBytesPerQueue;
  if (switches.scheme->pools_memory())
    for (SwitchId sw = 0; sw < graph.switches(); ++sw)
      bytes += std::uint64_t{graph.radix(sw)} * graph.radix(sw) * sizeof(RequestList);
  // output stages: a device per switch port, with as many queues as an input port
  if (has_output_stage(switches))
    bytes += graph.switch_ports() * (sizeof(Port) + sizeof(PortState) + sizeof(Device) + sizeof(RequestList) +
                                     map.queues * kBytesPerQueue);
  return bytes + Wheel::bytes(horizon);
}

std::uint64_t estimate_memory(const Spec& spec) {
  const Graph graph = spec.network.topology->build(spec.network.link);
  const Tick horizon = longest_hop(spec, graph.link_classes(), tick_of(spec, graph.link_classes()));
  const auto reachable = [&] { return reachable_inputs(graph, spec.routing.algorithm->build(graph)); };
  return estimate_memory(graph, reachable, spec.switches, queues_of(spec.switches, graph), horizon);
}

// When the last flow starts, stops or steps, in ns; the end of a warm-up is looked for from there.
static Rational last_change(const Spec& spec) {
  Rational last = 0;
  for (const FlowSpec& flow : spec.traffic.flows) {
    for (const LoadSpec::Point& point : flow.load.points) last = std::max(last, point.at.ns);
    if (flow.start) last = std::max(last, flow.start->ns);
    if (flow.stop) last = std::max(last, flow.stop->ns);
  }
  return last;
}

double most_pair_rows(const Spec& spec, Rate fastest) {
  const MeasureSpec& measure = spec.measure;
  const Rational bin = measure.bin ? measure.bin->ns : measure.duration.ns / Rational(kBinsByDefault);
  const Rational time = measure.warmup ? measure.warmup->ns + measure.duration.ns
                                       : last_change(spec) + measure.duration.ns * Rational(1 + kWarmupLimit);
  std::int64_t smallest = spec.traffic.traces.empty() ? spec.traffic.packet.count : 1;
  for (const FlowSpec& flow : spec.traffic.flows)
    if (flow.message)
      if (const std::int64_t rest = flow.message->count % spec.traffic.packet.count; rest > 0)
        smallest = std::min(smallest, rest);
  const auto nodes = static_cast<double>(spec.network.topology->nodes());
  const double packets =
      1 + (bin * fastest.bytes_per_ns).to_double() / static_cast<double>(smallest);  // of a destination
  return std::ceil((time / bin).to_double()) * nodes * std::min(nodes, packets);
}

std::uint64_t machine_memory() {
  return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::string memory_text(std::uint64_t bytes) {
  constexpr double kGiB = 1 << 30, kMiB = 1 << 20;
  const auto amount = static_cast<double>(bytes);
  return amount >= kGiB ? fmt::format("{:.1f} GiB", amount / kGiB) : fmt::format("{:.0f} MiB", amount / kMiB);
}

}  // namespace headway
