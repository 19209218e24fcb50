// SPDX-License-Identifier: Apache-2.0
#include "headway/compile/cost.h"

#include <algorithm>
#include <cstdint>

#include "headway/compile/plan/parts.h"
#include "headway/congestion/table_cost.h"
#include "headway/metrics/metric_names.h"
#include "headway/queueing/cost.h"

namespace headway {
namespace {

// Outputs of a switch that are slower than some input: they have a place for the packet under way
// (docs/modelling.md, "Devices").
std::uint32_t places(const Graph& graph, SwitchId sw) {
  const PortId first = graph.port(sw, 0), end = first + graph.radix(sw);
  Rate fastest{0};  // of the links into the switch
  for (PortId port = first; port < end; ++port)
    if (graph.source_of(port) != kNone) fastest = std::max(fastest, graph.link(graph.source_of(port)).rate);
  std::uint32_t slower = 0;
  for (PortId port = first; port < end; ++port)
    slower += graph.peer_of(port) != kNone && graph.link(port).rate < fastest ? 1 : 0;
  return slower;
}

// Bytes of the places of a network.
struct PlaceMemory {
  std::uint64_t of_network = 0;
  std::uint64_t of_switch = 0;  // the most that a switch with the most ports has
};

PlaceMemory place_memory(const Graph& graph, const NetworkOptions& options) {
  PlaceMemory memory;
  if (options.has_output_units() || options.output_queued || graph.link_classes().size() < 2) return memory;
  for (SwitchId sw = 0; sw < graph.switches(); ++sw) {
    const std::uint64_t bytes = std::uint64_t{places(graph, sw)} * options.packet_bytes;
    memory.of_network += bytes;
    if (graph.radix(sw) == graph.max_radix()) memory.of_switch = std::max(memory.of_switch, bytes);
  }
  return memory;
}

}  // namespace

std::vector<std::pair<std::string, double>> cost_of(const EventSpec& spec, const Graph& graph,
                                                    const QueueMap& map, const NetworkOptions& options) {
  const SwitchSpec& switches = spec.switches;
  // Overflow::kArrival is empty between two ticks and needs no hardware.
  const auto of_port =
      static_cast<std::int64_t>(queues_of_port(options, map.queues)) - (options.overflow ? 1 : 0);
  const std::uint32_t lines = options.isolation ? options.isolation->lines : 0;
  const std::uint64_t ports = graph.max_radix();
  const TableEntry entry = options.isolation ? isolation_entry(ports, lines) : routing_entry(ports);
  const std::uint32_t queues = map.queues * options.lanes;
  const auto port_memory = static_cast<double>(input_memory(spec, graph, options, queues).count);
  const PlaceMemory in_places = place_memory(graph, options);
  double both_sides = port_memory;
  if (has_output_units(switches))
    both_sides += static_cast<double>(
        output_memory(spec, graph, options, output_queues(switches, options.lanes, queues)).count);
  std::vector<std::pair<std::string, double>> metrics = {
      {std::string(metrics::queues_per_port), static_cast<double>(of_port)},
      {std::string(metrics::cam_lines_per_port), lines},
      {std::string(metrics::port_memory_bytes), port_memory},
      {std::string(metrics::lanes), options.lanes},
      {"packets_per_queue", options.capacity / (options.pause ? options.lane_credits_of(options.packet_bytes)
                                                              : options.credits_of_packet())},
      {"switch_memory_bytes",
       both_sides * static_cast<double>(ports) + static_cast<double>(in_places.of_switch)},
      {"network_memory_bytes",
       both_sides * graph.switch_ports() + static_cast<double>(in_places.of_network)}};
  if (in_places.of_network > 0)
    metrics.emplace_back("place_memory_bytes", static_cast<double>(in_places.of_network));
  metrics.emplace_back("minimum_memory_bytes",
                       static_cast<double>(minimum_memory(of_port, spec.traffic.frame()).count));
  metrics.emplace_back("routing_table_bits", static_cast<double>(graph.nodes() * entry.bits()));
  if (const auto area = published_area_mm2(switches.scheme.name, of_port))
    metrics.emplace_back("published_area_mm2", *area);
  return metrics;
}

}  // namespace headway
