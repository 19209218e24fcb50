// SPDX-License-Identifier: Apache-2.0
#include "headway/engine/network.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "headway/base/together.h"
#include "headway/routing/reach.h"

namespace headway {
namespace {

// Returns the options; throws if the network is illegal with them.
NetworkOptions legal(const Graph& graph, const Routes& routes, const QueueMap& map, NetworkOptions options) {
  options.follow(routes);
  const std::vector<IllegalNetwork> broken = illegal(graph, map, options);
  if (!broken.empty())
    throw std::invalid_argument(
        fmt::format("the network breaks the rule IllegalNetwork({})", static_cast<int>(broken.front())));
  return options;
}

Routes used(Routes routes, const NetworkOptions& options) {
  if (!options.selection) routes.choices.reset();
  return routes;
}

// Finds the queues of each port that packets can enter, by following every route from every leaf switch.
// Empty if every port has all queues.
std::vector<ReachableQueues> find_reachable(const Graph& graph, const Routes& routes, const QueueMap& map,
                                            const NetworkOptions& options) {
  if (!keeps_reachable_queues_only(map, routes, options)) return {};
  const std::size_t words = (map.queues + 63) / 64;
  std::vector<ReachableQueues> result(graph.ports());
  for (auto& port : result) port.exists.resize(words);
  const auto enter = [&](PortId port, std::uint32_t queue) {
    for (std::uint32_t q = queue; q < queue + map.channels; ++q)
      result[port].exists[q / 64] |= 1ULL << (q % 64);
  };

  Reach reach(graph, routes.table);
  for (NodeId destination = 0; destination < graph.nodes(); ++destination)
    reach.follow(destination, [&](PortId, PortId input) { enter(input, map.queue_of[destination]); });
  for (PortId port = 0; port < graph.ports(); ++port) {
    if (graph.is_node_port(port)) result[port].exists = result[graph.peer_of(port)].exists;
    std::uint32_t before = 0;
    for (const std::uint64_t word : result[port].exists) {
      result[port].before.push_back(before);
      before += static_cast<std::uint32_t>(std::popcount(word));
    }
  }
  return result;
}

// [port of the graph] number of reachable queues; empty if every port has all queues.
std::vector<std::uint32_t> counts_of(const std::vector<ReachableQueues>& reachable) {
  std::vector<std::uint32_t> counts;
  counts.reserve(reachable.size());
  for (const ReachableQueues& port : reachable) counts.push_back(port.count());
  return counts;
}

}  // namespace

Network::Network(std::shared_ptr<const Graph> its_graph, Routes its_routes, QueueMap map,
                 const NetworkOptions& options)
    : NetworkOptions(legal(*its_graph, its_routes, map, options)),
      shared_graph(std::move(its_graph)),
      graph(*shared_graph),
      routes(used(std::move(its_routes), options)),
      queue_map(std::move(map)),
      has_rings(needs_bubbles(graph)),
      reachable(find_reachable(graph, routes, queue_map, *this)),
      sorts_arrivals(NetworkOptions::sorts_arrivals(queue_map)),
      queue_lookup(reachable.empty() ? static_cast<QueueLookup>(queue_map.key) : QueueLookup::reachable),
      cell(has_cells() ? cell_bytes : UINT32_MAX),
      lane_unit(pause ? pause->unit_bytes : UINT32_MAX),
      layout({graph, queue_map, *this, counts_of(reachable)}) {
  const std::vector<std::uint32_t> reachable_queues = counts_of(reachable);
  const QueueCounts counts{graph, queue_map, *this, reachable_queues};
  number_devices();
  ports.resize(layout.ports);
  lay_ports(counts);
  if (has_output_units()) lay_output_units(counts);
  number_queues();
  if (has_slow_nodes()) number_receive_lanes();
  const std::uint32_t rate = ports[adapter_port(0)].ticks_per_byte;
  for (PortId id = 0; id < graph.ports(); ++id)
    links_differ |= graph.peer_of(id) != kNone && ports[link_port(id)].ticks_per_byte != rate;
  links_differ |= changes_rates;
}

MemoryParts Network::memory() const {
  MemoryParts parts;
  parts.add("graph", graph.bytes());
  parts.add("routes", routes.bytes() + bytes_of_changes());
  std::uint64_t of_queues = 0;
  for (const ReachableQueues& port : reachable) of_queues += bytes_taken(port.exists, port.before);
  parts.add("queue map", queue_map.bytes() + bytes_taken(reachable) + of_queues);
  parts.add("links", bytes_taken(ports, first_port, receive_account));
  return parts;
}

std::uint32_t Network::queue_in_table(PortId input, std::uint32_t output, NodeId source,
                                      NodeId destination) const {
  return queue_map.of_table(input, output, source, destination);
}

void Network::number_devices() {
  first_port.reserve(layout.devices + 1);
  for (SwitchId sw = 0; sw < layout.switches; ++sw) first_port.push_back(graph.port(sw, 0));
  for (PortId port = layout.switch_ports; port <= layout.ports; ++port) first_port.push_back(port);
}

// With pauses, the credits of a lane can be too many for the integers, which nothing then depends on.
void Network::set_room(Port& port, std::uint32_t credits, std::uint32_t credits_of_full_packet) const {
  port.credits = static_cast<std::uint16_t>(std::min(credits, kMostCreditsPerQueue));
  port.capacity =
      static_cast<std::uint16_t>(std::min(credits / credits_of_full_packet, kMostCreditsPerQueue));
}

// [class of links] the ticks that a byte takes on a link, or in a crossbar that is faster.
std::vector<std::uint32_t> Network::byte_ticks(const Rational& speedup) const {
  std::vector<std::uint32_t> ticks;
  for (const Link& link : graph.link_classes())
    ticks.push_back(*link_ticks({Rational(1) / (link.rate.bytes_per_ns * speedup)}, tick));
  return ticks;
}

// Sets the constants of the ports of the graph and of the links that leave them.
void Network::lay_ports(const QueueCounts& counts) {
  const std::vector<std::uint32_t> ticks_per_byte = byte_ticks(Rational(1));
  const std::vector<std::uint32_t> read_ticks = byte_ticks(crossbar_speedup);
  std::vector<std::uint32_t> delay;  // [class of links]
  for (const Link& link : graph.link_classes()) delay.push_back(*link_ticks(link.delay, tick));
  const auto lay = [&](PortId id) {
    const bool is_adapter = graph.is_node_port(id);
    Port& port = ports[id];
    port.owner = is_adapter ? adapter(graph.node_of(id)) : graph.switch_of(id);
    port.local = static_cast<std::uint16_t>(is_adapter ? 0 : graph.local(id));
    if (is_adapter)
      set_room(port, injection_capacity, credits_of_packet());
    else
      set_room(port, capacity, pause ? lane_credits_of(packet_bytes) : credits_of_packet());
    port.queues = counts.at_input(id);
    if (const PortId source = graph.source_of(id); source != kNone) {
      port.source = link_port(source);
      if (!is_adapter) port.read_ticks_per_byte = read_ticks[graph.link_class(source)];
    }
    if (has_rings && graph.ring_input(id) != kNone) port.ring_input = graph.local(graph.ring_input(id));
    if (graph.peer_of(id) == kNone) return;
    Port& link = ports[link_port(id)];
    link.peer = graph.peer_of(id);
    link.delay = delay[graph.link_class(id)];
    link.ticks_per_byte = ticks_per_byte[graph.link_class(id)];
  };
  together_in_ranges(layout.graph_ports, [&](PortId first, PortId end) {
    for (PortId id = first; id < end; ++id) lay(id);
  });
}

void Network::lay_output_units(const QueueCounts& counts) {
  const std::vector<std::uint32_t> ticks_per_byte = byte_ticks(crossbar_speedup);
  for (PortId id = 0; id < layout.output_units; ++id) {
    Port& unit = ports[link_port(id)];
    unit.owner = switches() + nodes() + id;
    set_room(unit, output_capacity, credits_of_packet());
    unit.source = id;
    unit.queues = counts.at_output_unit(id);
    if (unit.peer == kNone) continue;
    ports[id].peer = link_port(id);
    ports[id].ticks_per_byte = ticks_per_byte[graph.link_class(id)];
  }
}

std::vector<PortId> Network::ports_of_queues() const {
  std::vector<PortId> port_of(queues);
  for (PortId id = 0; id < ports.size(); ++id)
    std::fill_n(port_of.begin() + ports[id].first_queue, ports[id].queues, id);
  return port_of;
}

void Network::number_queues() {
  for (Port& port : ports) {
    port.first_queue = queues;
    queues += port.queues;
  }
}

void Network::number_receive_lanes() {
  std::uint32_t next = queues + 1;
  for (NodeId node = 0; node < nodes(); ++node) {
    receive_account.push_back(is_slow(node) ? next : queues);
    if (is_slow(node)) next += lanes;
  }
}

std::optional<Network::QueueRange> Network::shared_lane(PortId input, std::uint32_t queue) const {
  if (!has_lane_memory() || is_adapter_port(input) || input >= layout.graph_ports) return std::nullopt;
  const Port& port = ports[input];
  if (is_pooled()) return QueueRange{port.first_queue, port.queues};
  const std::uint32_t each = queues_per_lane(input);
  return QueueRange{port.first_queue + lane_of_queue(input, queue) * each, each};
}

Tick Network::consumption(NodeId node, std::uint32_t bytes) const {
  const Port& link = ports[ports[adapter_port(node)].source];
  const Tick transfer = static_cast<Tick>(bytes) * link.ticks_per_byte;
  const Rational& rate = receive_rate[node];
  return (transfer * rate.denominator() + rate.numerator() - 1) / rate.numerator();
}

}  // namespace headway
