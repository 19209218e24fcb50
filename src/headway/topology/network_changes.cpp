// SPDX-License-Identifier: Apache-2.0
#include "headway/topology/network_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "headway/base/error.h"
#include "headway/topology/link_roles.h"
#include "headway/topology/members.h"
#include "headway/topology/named_link.h"
#include "headway/topology/topology.h"

namespace headway {
namespace {

// [port] whether the link that leaves it is to get its usual rate
std::vector<bool> links_to_level(const Graph& graph, const std::vector<std::string>& names) {
  const bool all = NetworkChanges::names_all(names);
  std::vector<bool> level(graph.ports(), all);
  Mistakes mistakes;
  const NumberedNames switches = switches_of(graph);
  for (const std::string& name : names) {
    if (name == NetworkChanges::kAll) continue;
    const auto end =
        named_link(graph, switches, name, LinksToNodes::allowed, "what_if.usual_rates", mistakes);
    if (!end) continue;
    level[*end] = true;
    if (const PortId other = graph.peer_of(*end); graph.peer_of(other) == *end) level[other] = true;
  }
  mistakes.throw_if_any();
  return level;
}

void level_rates(Graph& graph, const std::vector<std::string>& names) {
  const LinkRoles roles(graph);
  std::vector<Rate> usual(graph.ports());
  for (PortId port = 0; port < graph.ports(); ++port)
    if (graph.peer_of(port) != kNone) usual[port] = graph.link(roles.usual(port)).rate;
  const std::vector<bool> level = links_to_level(graph, names);
  graph.change_links([&](PortId port, Link link) {
    if (level[port]) link.rate = std::max(link.rate, usual[port]);
    return link;
  });
}

bool is_of_node(const Graph& graph, PortId port) {
  return graph.is_node_port(port) || graph.is_node_port(graph.peer_of(port));
}

Graph perfect_switch(const Graph& graph) {
  if (graph.nodes() > kMostSwitchPorts)
    throw SpecError("what_if.perfect_switch", fmt::format("a switch cannot have {} ports", graph.nodes()),
                    fmt::format("at most {} nodes", kMostSwitchPorts));
  Graph one(graph.nodes(), {graph.nodes()}, SingleSwitchShape{});
  one.keep_hosts_of(graph);
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    const PortId of_node = graph.node_port(node), here = one.node_port(node), there = one.port(0, node);
    one.connect_directed(here, there, graph.link(of_node));
    one.connect_directed(there, here, graph.link(graph.source_of(of_node)));
  }
  return one;
}

}  // namespace

Graph changed(Graph graph, const NetworkChanges& changes) {
  if (!changes.usual_rates.empty()) level_rates(graph, changes.usual_rates);
  if (changes.doubled != DoubledLinks::none)
    graph.change_links([&](PortId port, Link link) {
      if (is_of_node(graph, port) == (changes.doubled == DoubledLinks::nodes))
        link.rate.bytes_per_ns = link.rate.bytes_per_ns * Rational(2);
      return link;
    });
  if (changes.no_delay)
    graph.change_links([](PortId, Link link) {
      link.delay.ns = Rational(1) / link.rate.bytes_per_ns;
      return link;
    });
  return changes.perfect_switch ? perfect_switch(graph) : graph;
}

std::vector<std::string> slow_links(const Graph& graph) {
  const LinkRoles roles(graph);
  std::vector<std::string> names;
  std::vector<bool> told(graph.ports());
  for (PortId port = 0; port < graph.ports(); ++port) {
    if (graph.peer_of(port) == kNone || !(graph.link(port).rate < graph.link(roles.usual(port)).rate))
      continue;
    const PortId end = one_end(graph, port);
    if (told[end]) continue;
    told[end] = true;
    names.push_back(name_of_link(graph, end));
  }
  return names;
}

std::vector<double> rates_of_nodes(const Graph& of, const Graph& in) {
  std::vector<double> rates;
  for (NodeId node = 0; node < of.nodes(); ++node)
    rates.push_back(
        (of.link(of.node_port(node)).rate.bytes_per_ns / in.link(in.node_port(node)).rate.bytes_per_ns)
            .to_double());
  if (std::ranges::all_of(rates, [](double rate) { return rate == 1; })) rates.clear();
  return rates;
}

}  // namespace headway
