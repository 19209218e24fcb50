// SPDX-License-Identifier: Apache-2.0
#include "headway/topology/units.h"

#include <algorithm>

namespace headway {
namespace {

// The same for both ends of a cable; of a port of the graph without units.
std::uint32_t cable_of(const Graph& graph, PortId port) { return std::min(port, graph.peer_of(port)); }

}  // namespace

Graph with_units(const Graph& graph, const std::vector<Unit>& units) {
  std::vector<std::uint32_t> radix;
  for (SwitchId sw = 0; sw < graph.switches(); ++sw) radix.push_back(graph.radix(sw));
  std::uint32_t nodes = graph.nodes();
  for (const Unit& unit : units) {
    radix[unit.sw] += static_cast<std::uint32_t>(unit.ports.size());
    nodes += static_cast<std::uint32_t>(unit.ports.size());
  }
  Graph result(nodes, radix, graph.shape());
  const auto port_in_result = [&](PortId port) {
    return graph.is_node_port(port) ? result.node_port(graph.node_of(port))
                                    : result.port(graph.switch_of(port), graph.local(port));
  };
  for (PortId output = 0; output < graph.ports(); ++output)
    if (const PortId input = graph.peer_of(output); input != kNone)
      result.connect_directed(port_in_result(output), port_in_result(input), graph.link(output));

  std::vector<std::vector<HostLink>> links_of;
  for (NodeId host = 0; host < graph.nodes_of_spec(); ++host) {
    std::vector<HostLink>& links = links_of.emplace_back();
    for (NodeId node = graph.home(host); node < graph.nodes() && graph.node_of_spec(node) == host; ++node) {
      links.push_back(graph.hosts().none() ? HostLink{} : graph.hosts().link(node));
      links.back().cable = cable_of(graph, graph.node_port(node));
    }
  }
  NodeId node = graph.nodes();
  std::vector<std::uint32_t> next_port(graph.switches());
  for (SwitchId sw = 0; sw < graph.switches(); ++sw) next_port[sw] = graph.radix(sw);
  links_of.resize(links_of.size() + graph.switches());
  for (const Unit& unit : units) {
    std::vector<HostLink>& links = links_of[graph.nodes_of_spec() + unit.sw];
    for (const std::uint32_t local : unit.ports) {
      const PortId beside = graph.port(unit.sw, local);
      const Rate rate = graph.link(beside).rate;
      links.push_back({.cable = cable_of(graph, beside)});
      result.connect(result.port(unit.sw, next_port[unit.sw]++), result.node_port(node++),
                     {rate, Duration{Rational(1) / rate.bytes_per_ns}});
    }
  }
  result.set_hosts(links_of, graph.switches());
  result.keep_failures_of(graph);
  return result;
}

}  // namespace headway
