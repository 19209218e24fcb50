// SPDX-License-Identifier: Apache-2.0
#include "tests/reference/transfers.h"

#include <algorithm>
#include <map>

namespace headway::reference {
namespace {

// The rate that most links have which lead from a device like the sender of this one to one like its
// receiver.
std::uint32_t naive_usual_rate(const Network& network, PortId link) {
  const Graph& graph = network.graph;
  const auto links_of = [&](SwitchId sw) {
    std::uint32_t links = 0;
    for (PortId port = 0; port < graph.switch_ports(); ++port)
      links += graph.switch_of(port) == sw && graph.peer_of(port) != kNone;
    return links;
  };
  // By repeated relaxation from the switches that send to nodes.
  std::vector<int> distance(graph.switches(), 1 << 20);
  for (std::uint32_t round = 0; round <= graph.switches(); ++round)
    for (PortId port = 0; port < graph.switch_ports(); ++port) {
      if (graph.peer_of(port) == kNone) continue;
      int& here = distance[graph.switch_of(port)];
      const PortId peer = graph.peer_of(port);
      here = std::min(here, graph.is_node_port(peer) ? 0 : distance[graph.switch_of(peer)] + 1);
    }
  const auto like = [&](PortId a, PortId b) {
    if (graph.is_node_port(a) || graph.is_node_port(b)) return graph.is_node_port(a) && graph.is_node_port(b);
    const SwitchId one = graph.switch_of(a), other = graph.switch_of(b);
    if (graph.stages() > 0) return graph.stage_of(one) == graph.stage_of(other);
    return distance[one] == distance[other] && links_of(one) == links_of(other);
  };
  std::map<std::uint32_t, std::uint32_t> links;  // of ticks per byte
  for (PortId port = 0; port < graph.ports(); ++port)
    if (graph.peer_of(port) != kNone && like(port, link) && like(graph.peer_of(port), graph.peer_of(link)))
      ++links[network.ports[network.link_port(port)].ticks_per_byte];
  std::uint32_t usual = 0;
  for (const auto& [ticks, count] : links)
    if (usual == 0 || count > links[usual]) usual = ticks;
  return usual;
}

}  // namespace

Parts listed(const TransferParts& parts) {
  return {parts.serialisation, parts.narrow, parts.slow, parts.propagation, parts.switching, parts.rest};
}

Parts parts_of(const Network& network, std::uint64_t length, const std::vector<PortId>& links, Tick whole,
               bool leaves) {
  const auto bytes = static_cast<Tick>(length);
  std::vector<Tick> usual, actual;
  Tick delays = 0;
  for (const PortId link : links) {
    usual.push_back(naive_usual_rate(network, link));
    actual.push_back(network.ports[network.link_port(link)].ticks_per_byte);
    delays += network.ports[network.link_port(link)].delay;
  }
  const Tick of_nodes = leaves ? usual.front() : std::max(usual.front(), usual.back());
  const Tick sums[] = {
      bytes * of_nodes, bytes * std::ranges::max(usual),
      bytes * std::max(std::ranges::max(usual), std::ranges::max(actual)), leaves ? 0 : delays,
      leaves ? 0 : (static_cast<Tick>(links.size()) - 1) * static_cast<Tick>(network.routing_delay)};
  const Tick at_nodes = std::min(whole, sums[0]), with_narrow = std::min(whole, sums[1]),
             with_slow = std::min(whole, sums[2]), with_delays = std::min(whole, with_slow + sums[3]),
             with_switches = std::min(whole, with_delays + sums[4]);
  return {at_nodes,
          with_narrow - at_nodes,
          with_slow - with_narrow,
          with_delays - with_slow,
          with_switches - with_delays,
          whole - with_switches};
}

}  // namespace headway::reference
