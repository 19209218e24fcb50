// SPDX-License-Identifier: Apache-2.0
#include "headway/topology/named_link.h"

#include <algorithm>

#include "headway/topology/members.h"

namespace headway {

PortId one_end(const Graph& graph, PortId output) {
  const PortId input = graph.peer_of(output);
  return graph.peer_of(input) == output ? std::min(input, output) : output;
}

std::optional<PortId> named_link(const Graph& graph, const NumberedNames& switches, const std::string& text,
                                 LinksToNodes to_nodes, const std::string& key, Mistakes& mistakes) {
  const std::size_t colon = text.rfind(':');
  const auto port_number = colon == std::string::npos ? std::nullopt : whole_number(text.substr(colon + 1));
  if (!port_number) {
    mistakes.add(key, "\"" + text + "\" is not a link", "write \"SWITCH:PORT\"");
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
