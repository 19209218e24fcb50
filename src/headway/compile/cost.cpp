// SPDX-License-Identifier: Apache-2.0
#include "headway/compile/cost.h"

#include "headway/congestion/table_cost.h"
#include "headway/queueing/cost.h"

namespace headway {

std::vector<std::pair<std::string, double>> cost_of(const EventSpec& spec, const Graph& graph,
                                                    std::uint32_t queues, std::uint32_t lanes) {
  const SwitchSpec& switches = spec.switches;
  const auto plan = switches.scheme->isolation();
  const auto owned = switches.scheme->overflow(graph.nodes());
  const std::uint32_t mapped = queues * lanes;
  const std::int64_t lines = plan ? plan->rules.lines : 0;
  const std::int64_t of_port = plan    ? 1 + lines
                               : owned ? 1 + owned->queues  // including the overflow queue
                                       : mapped;
  const std::uint64_t ports = graph.max_radix();
  const TableEntry entry = plan ? isolation_entry(ports, plan->rules.lines) : routing_entry(ports);
  const auto port_memory = static_cast<double>(input_memory(switches, mapped).count);
  const double both_sides =
      port_memory + (has_output_units(switches) ? static_cast<double>(switches.output_memory.count) : 0);
  const std::int64_t share = plan || owned ? 1 : mapped;  // number of queues that the memory is split over
  const std::int64_t packets = input_memory(switches, mapped).count / share / spec.traffic.packet.count;
  std::vector<std::pair<std::string, double>> metrics = {
      {"queues_per_port", static_cast<double>(of_port)},
      {"cam_lines_per_port", static_cast<double>(lines)},
      {"port_memory_bytes", port_memory},
      {"lanes", lanes},
      {"packets_per_queue", static_cast<double>(packets)},
      {"switch_memory_bytes", both_sides * static_cast<double>(ports)},
      {"network_memory_bytes", both_sides * graph.switch_ports()},
      {"minimum_memory_bytes", static_cast<double>(minimum_memory(of_port, spec.traffic.packet).count)},
      {"routing_table_bits", static_cast<double>(graph.nodes() * entry.bits())}};
  if (const auto area = published_area_mm2(switches.scheme.name, of_port))
    metrics.emplace_back("published_area_mm2", *area);
  return metrics;
}

}  // namespace headway
