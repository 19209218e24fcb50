// SPDX-License-Identifier: Apache-2.0
#include "headway/topology/aggregators.h"

#include <algorithm>

namespace headway {
namespace {

// The same for both ends of a cable; of a port of the graph without aggregators.
std::uint32_t cable_of(const Graph& graph, PortId port) { return std::min(port, graph.peer_of(port)); }

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
  const NodeId nodes = graph.hosts().none() ? graph.nodes() : graph.home(graph.nodes_of_spec());
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
  const auto port_in_result = [&](PortId port) {
    return graph.is_node_port(port) ? result.node_port(graph.node_of(port))
                                    : result.port(graph.switch_of(port), graph.local(port));
  };
  for (PortId output = 0; output < graph.ports(); ++output)
    if (const PortId input = graph.peer_of(output);
        input != kNone && !is_of_aggregator(output) && !is_of_aggregator(input))
      result.connect_directed(port_in_result(output), port_in_result(input), graph.link(output));
  return result;
}

}  // namespace headway
