// SPDX-License-Identifier: Apache-2.0
#include "headway/observe/paths.h"

#include <algorithm>

namespace headway {

Paths::Paths(const Network& network)
    : network_(network),
      graph_(network.graph),
      has_choice_(network.selection.has_value()),
      visit_(network.switches()),
      marked_(network.graph.ports()),
      seen_((std::uint64_t{network.switches()} * network.nodes() + 63) / 64) {}

std::uint64_t Paths::bytes() const {
  return seen_.size() * sizeof(seen_[0]) + visit_.size() * sizeof(visit_[0]) + marked_.size() / 8;
}

bool Paths::may_lead(PortId link, NodeId destination) const {
  const SwitchId sw = graph_.switch_of(link);
  const PortRange routes = network_.routes.at(sw, destination);
  const std::uint32_t local = graph_.local(link);
  return local - routes.first < routes.count;
}

bool Paths::crosses(const StateView& view, PortId output, NodeId source, NodeId destination,
                    std::uint32_t serial, PortId link) {
  if (output == link) return true;
  const PortId behind = graph_.peer_of(link);
  if (graph_.is_node_port(behind)) return graph_.node_of(behind) == destination;
  if (graph_.is_node_port(link) || !may_lead(link, destination)) return false;
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
  if (output == link) return true;
  const PortId behind = graph_.peer_of(link);
  if (graph_.is_node_port(behind)) return graph_.node_of(behind) == destination;
  if (graph_.is_node_port(link) || !may_lead(link, destination)) return false;
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

void Paths::mark_from(PortId from, NodeId destination) {
  to_visit_.clear();
  const auto visit = [&](PortId input) {
    if (graph_.is_node_port(input)) return;
    const SwitchId sw = graph_.switch_of(input);
    const std::uint64_t place = std::uint64_t{sw} * network_.nodes() + destination;
    std::uint64_t& word = seen_[place / 64];
    const std::uint64_t bit = 1ULL << (place % 64);
    if ((word & bit) != 0) return;
    word |= bit;
    to_visit_.push_back(sw);
  };
  visit(from);
  while (!to_visit_.empty()) {
    const SwitchId sw = to_visit_.back();
    to_visit_.pop_back();
    const PortRange routes = network_.routes.at(sw, destination);
    for (std::uint32_t i = 0; i < routes.count; ++i) {
      const PortId next = graph_.port(sw, routes.first + i);
      marked_[next] = true;
      visit(graph_.peer_of(next));
    }
  }
}

void Paths::clear_marks() {
  std::ranges::fill(seen_, 0);
  marked_.assign(marked_.size(), false);
}

}  // namespace headway
