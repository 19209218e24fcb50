// SPDX-License-Identifier: Apache-2.0
#include "headway/observe/paths.h"

#include <algorithm>

namespace headway {

Paths::Paths(const Network& network)
    : network_(network),
      graph_(network.graph),
      has_choice_(network.selection.has_value()),
      nodes_(network.nodes()),
      switch_behind_(network.graph.ports(), kNone),
      visit_(network.switches()),
      marked_(network.graph.ports()),
      seen_((std::uint64_t{network.switches()} * network.nodes() + 63) / 64) {
  for (PortId output = 0; output < graph_.ports(); ++output)
    if (const PortId input = graph_.peer_of(output); input != kNone && !graph_.is_node_port(input))
      switch_behind_[output] = graph_.switch_of(input);
}

std::uint64_t Paths::bytes(const Layout& layout) {
  return std::uint64_t{layout.switches} * layout.nodes / 8 + layout.switches * sizeof(std::uint32_t) +
         layout.graph_ports / 8 + layout.graph_ports * sizeof(SwitchId);
}

bool Paths::may_lead(PortId link, NodeId destination) const {
  const SwitchId sw = graph_.switch_of(link);
  const PortRange routes = network_.routes.at(sw, destination);
  const std::uint32_t local = graph_.local(link);
  return local - routes.first < routes.count;
}

std::optional<bool> Paths::known(PortId output, NodeId destination, PortId link) const {
  if (output == link) return true;
  const PortId behind = graph_.peer_of(link);
  if (graph_.is_node_port(behind)) return graph_.node_of(behind) == destination;
  if (graph_.is_node_port(link) || !may_lead(link, destination)) return false;
  return std::nullopt;
}

bool Paths::crosses(const StateView& view, PortId output, NodeId source, NodeId destination,
                    std::uint32_t serial, PortId link) {
  if (const auto crosses = known(output, destination, link)) return *crosses;
  if (has_choice_) return can_cross(output, destination, link);
  const SwitchId at_link = graph_.switch_of(link);
  for (PortId input = graph_.peer_of(output); !graph_.is_node_port(input); input = graph_.peer_of(output)) {
    const SwitchId sw = graph_.switch_of(input);
    output = view.next_output(sw, source, destination, serial);
    if (output == link) return true;
    if (sw == at_link) return false;
  }
  return false;
}

bool Paths::can_cross(PortId output, NodeId destination, PortId link) {
  if (const auto crosses = known(output, destination, link)) return *crosses;
  const SwitchId at_link = graph_.switch_of(link);
  ++visits_;
  to_visit_.clear();
  const auto visit = [&](PortId input) {
    if (graph_.is_node_port(input)) return;
    const SwitchId sw = graph_.switch_of(input);
    if (visit_[sw] == visits_) return;
    visit_[sw] = visits_;
    to_visit_.push_back(sw);
  };
  visit(graph_.peer_of(output));
  while (!to_visit_.empty()) {
    const SwitchId sw = to_visit_.back();
    to_visit_.pop_back();
    if (sw == at_link) return true;  // whose routes to the destination include the link
    const PortRange routes = network_.routes.at(sw, destination);
    for (std::uint32_t i = 0; i < routes.count; ++i) visit(graph_.peer_of(graph_.port(sw, routes.first + i)));
  }
  return false;
}

void Paths::mark_unseen(SwitchId first, NodeId destination) {
  to_visit_.assign(1, first);
  while (!to_visit_.empty()) {
    const SwitchId sw = to_visit_.back();
    to_visit_.pop_back();
    const PortRange routes = network_.routes.at(sw, destination);
    for (std::uint32_t i = 0; i < routes.count; ++i) {
      const PortId next = graph_.port(sw, routes.first + i);
      marked_[next] = true;
      if (const SwitchId behind = switch_behind_[next]; behind != kNone && see(behind, destination))
        to_visit_.push_back(behind);
    }
  }
}

void Paths::clear_marks() {
  std::ranges::fill(seen_, 0);
  marked_.assign(marked_.size(), false);
}

}  // namespace headway
