// SPDX-License-Identifier: Apache-2.0
#include "headway/topology/named_link.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "headway/topology/members.h"

namespace headway {

PortId one_end(const Graph& graph, PortId output) {
  const PortId input = graph.peer_of(output);
  return graph.peer_of(input) == output ? std::min(input, output) : output;
}

namespace {

constexpr std::string_view kBetween = " -- ", kToNode = "node ";

// The ports of the graph at an end of a link: those of a switch or, after "node ", of a node. None if there
// is a mistake, which is reported.
std::vector<PortId> ports_of_end(const Graph& graph, const NumberedNames& switches, std::string_view name,
                                 const std::string& key, Mistakes& mistakes) {
  std::vector<PortId> ports;
  const bool is_node = name.starts_with(kToNode);
  const NumberedNames nodes = nodes_of_spec(graph);
  const NumberedNames& names = is_node ? nodes : switches;
  if (is_node) name.remove_prefix(kToNode.size());
  const std::optional<std::uint32_t> found = names.single(name);
  if (!found)
    mistakes.add(key, names.no_such(name), names.hint(name));
  else if (is_node)
    for (NodeId node = graph.home(*found); node < graph.end_of(*found); ++node)
      ports.push_back(graph.node_port(node));
  else
    for (std::uint32_t local = 0; local < graph.radix(*found); ++local)
      if (graph.peer_of(graph.port(*found, local)) != kNone) ports.push_back(graph.port(*found, local));
  return ports;
}

// The only link between two ends.
std::optional<PortId> link_between(const Graph& graph, const NumberedNames& switches, std::string_view text,
                                   LinksToNodes to_nodes, const std::string& key, Mistakes& mistakes) {
  const std::size_t between = text.find(kBetween);
  const std::size_t before = mistakes.list().size();
  const auto from = ports_of_end(graph, switches, text.substr(0, between), key, mistakes);
  const auto to = ports_of_end(graph, switches, text.substr(between + kBetween.size()), key, mistakes);
  if (mistakes.list().size() > before) return std::nullopt;
  std::vector<PortId> ends;
  for (const PortId port : from)
    if (const PortId peer = graph.peer_of(port); std::ranges::find(to, peer) != to.end())
      ends.push_back(one_end(graph, port));
  const auto is_to_node = [&](PortId end) {
    return graph.is_node_port(end) || graph.is_node_port(graph.peer_of(end));
  };
  const bool refused = !ends.empty() && is_to_node(ends.front()) && to_nodes == LinksToNodes::refused;
  if (ends.size() == 1 && !refused) return ends.front();
  std::string hint;
  for (std::size_t i = 0; i < ends.size() && i < 2 && !refused; ++i)
    hint += (i == 0 ? "one of them: " : ", ") + name_of_link(graph, ends[i]);
  const std::string quoted = "\"" + std::string(text) + "\"";
  if (refused)
    mistakes.add(key, quoted + " leads to a node", "use links between switches");
  else if (ends.empty())
    mistakes.add(key, "no link joins " + quoted, "use two neighbours");
  else
    mistakes.add(key, std::to_string(ends.size()) + " links join " + quoted, hint);
  return std::nullopt;
}

}  // namespace

std::optional<PortId> named_link(const Graph& graph, const NumberedNames& switches, const std::string& text,
                                 LinksToNodes to_nodes, const std::string& key, Mistakes& mistakes) {
  if (text.find(kBetween) != std::string::npos)
    return link_between(graph, switches, text, to_nodes, key, mistakes);
  const std::size_t colon = text.rfind(':');
  const auto port_number = colon == std::string::npos ? std::nullopt : whole_number(text.substr(colon + 1));
  if (!port_number) {
    mistakes.add(key, "\"" + text + "\" is not a link",
                 "write \"SWITCH:PORT\", or its two ends, \"SWITCH -- SWITCH\"");
    return std::nullopt;
  }
  const std::string name = text.substr(0, colon);
  const std::optional<SwitchId> found = switches.single(name);
  if (!found) {
    mistakes.add(key, switches.no_such(name), switches.hint(name));
    return std::nullopt;
  }
  const SwitchId sw = *found;
  const std::uint32_t port = *port_number;
  if (port >= graph.radix(sw)) {
    mistakes.add(key, "switch " + name + " has no port " + std::to_string(port),
                 "ports 0 to " + std::to_string(graph.radix(sw) - 1));
    return std::nullopt;
  }
  const PortId output = graph.port(sw, port), input = graph.peer_of(output);
  const bool leads_to_node = input != kNone && graph.is_node_port(input);
  if (input == kNone || (leads_to_node && to_nodes == LinksToNodes::refused)) {
    mistakes.add(key,
                 "port " + std::to_string(port) + " of switch " + name +
                     (input == kNone ? " has no link" : " leads to a node"),
                 to_nodes == LinksToNodes::refused ? "use links between switches" : "");
    return std::nullopt;
  }
  return one_end(graph, output);
}

std::string name_of_link(const Graph& graph, PortId end) {
  const PortId at_switch = graph.is_node_port(end) ? graph.peer_of(end) : end;
  return graph.switch_name(graph.switch_of(at_switch)) + ':' + std::to_string(graph.local(at_switch));
}

}  // namespace headway
