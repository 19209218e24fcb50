// SPDX-License-Identifier: Apache-2.0
#include "headway/compile/cost.h"

#include "headway/congestion/table_cost.h"
#include "headway/queueing/cost.h"

namespace headway {

std::vector<std::pair<std::string, double>> cost_of(const EventSpec& spec, const Graph& graph,
                                                    const QueueMap& map, const NetworkOptions& options) {
  const SwitchSpec& switches = spec.switches;
  // Overflow::kArrival is empty between two ticks and needs no hardware.
  const auto of_port =
      static_cast<std::int64_t>(queues_of_port(options, map.queues)) - (options.overflow ? 1 : 0);
  const std::uint32_t lines = options.isolation ? options.isolation->lines : 0;
  const std::uint64_t ports = graph.max_radix();
  const TableEntry entry = options.isolation ? isolation_entry(ports, lines) : routing_entry(ports);
  const auto port_memory = static_cast<double>(input_memory(switches, map.queues * options.lanes).count);
  const double both_sides =
      port_memory + (has_output_units(switches) ? static_cast<double>(switches.output_memory.count) : 0);
  std::vector<std::pair<std::string, double>> metrics = {
      {"queues_per_port", static_cast<double>(of_port)},
      {"cam_lines_per_port", lines},
      {"port_memory_bytes", port_memory},
      {"lanes", options.lanes},
      {"packets_per_queue", options.capacity / options.credits_of_packet()},
      {"switch_memory_bytes", both_sides * static_cast<double>(ports)},
      {"network_memory_bytes", both_sides * graph.switch_ports()},
      {"minimum_memory_bytes", static_cast<double>(minimum_memory(of_port, spec.traffic.packet).count)},
      {"routing_table_bits", static_cast<double>(graph.nodes() * entry.bits())}};
  if (const auto area = published_area_mm2(switches.scheme.name, of_port))
    metrics.emplace_back("published_area_mm2", *area);
  return metrics;
}

}  // namespace headway
