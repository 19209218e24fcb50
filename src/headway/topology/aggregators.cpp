// SPDX-License-Identifier: Apache-2.0
#include "headway/topology/aggregators.h"

#include <algorithm>

namespace headway {
namespace {

// The same for both ends of a cable; of a port of the graph without aggregators.
std::uint32_t cable_of(const Graph& graph, PortId port) { return std::min(port, graph.peer_of(port)); }

// Adds the links of a graph to one that has its switches, ports and nodes, and can have more or fewer. Calls
// is_kept(port) for both ends of a link.
template <class IsKept>
void add_links(const Graph& from, Graph& to, IsKept&& is_kept) {
  const auto port_in = [&](PortId port) {
    return from.is_node_port(port) ? to.node_port(from.node_of(port))
                                   : to.port(from.switch_of(port), from.local(port));
  };
  for (PortId output = 0; output < from.ports(); ++output)
    if (const PortId input = from.peer_of(output); input != kNone && is_kept(output) && is_kept(input))
      to.connect_directed(port_in(output), port_in(input), from.link(output));
}

}  // namespace

Graph with_aggregators(const Graph& graph, const std::vector<Aggregator>& aggregators) {
  std::vector<std::uint32_t> radix;
  for (SwitchId sw = 0; sw < graph.switches(); ++sw) radix.push_back(graph.radix(sw));
  std::uint32_t nodes = graph.nodes();
  for (const Aggregator& aggregator : aggregators) {
    radix[aggregator.sw] += static_cast<std::uint32_t>(aggregator.ports.size());
    nodes += static_cast<std::uint32_t>(aggregator.ports.size());
  }
  Graph result(nodes, radix, graph.shape());
  add_links(graph, result, [](PortId) { return true; });

  std::vector<std::vector<HostLink>> links_of;
  for (NodeId host = 0; host < graph.nodes_of_spec(); ++host) {
    std::vector<HostLink>& links = links_of.emplace_back();
    for (NodeId node = graph.home(host); node < graph.end_of(host); ++node) {
      links.push_back(graph.hosts().none() ? HostLink{} : graph.hosts().link(node));
      links.back().cable = cable_of(graph, graph.node_port(node));
    }
  }
  NodeId node = graph.nodes();
  std::vector<std::uint32_t> next_port(graph.switches());
  for (SwitchId sw = 0; sw < graph.switches(); ++sw) next_port[sw] = graph.radix(sw);
  links_of.resize(links_of.size() + graph.switches());
  for (const Aggregator& aggregator : aggregators) {
    std::vector<HostLink>& links = links_of[graph.nodes_of_spec() + aggregator.sw];
    for (const std::uint32_t local : aggregator.ports) {
      const PortId beside = graph.port(aggregator.sw, local);
      const Rate rate = graph.link(beside).rate;
      links.push_back({.cable = cable_of(graph, beside)});
      result.connect(result.port(aggregator.sw, next_port[aggregator.sw]++), result.node_port(node++),
                     {rate, Duration{Rational(1) / rate.bytes_per_ns}});
    }
  }
  result.set_hosts(links_of, graph.switches());
  result.keep_failures_of(graph);
  return result;
}

Graph without_aggregators(const Graph& graph) {
  const NodeId nodes = graph.end_of(graph.nodes_of_spec() - 1);
  const auto is_of_aggregator = [&](PortId port) {
    return port != kNone && graph.is_node_port(port) && graph.node_of(port) >= nodes;
  };
  std::vector<std::uint32_t> radix;
  for (SwitchId sw = 0; sw < graph.switches(); ++sw) {
    radix.push_back(graph.radix(sw));
    while (radix.back() > 0 && is_of_aggregator(graph.peer_of(graph.port(sw, radix.back() - 1))))
      --radix.back();
  }
  Graph result(nodes, radix, graph.shape());
  add_links(graph, result, [&](PortId port) { return !is_of_aggregator(port); });
  return result;
}

}  // namespace headway
