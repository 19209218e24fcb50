// SPDX-License-Identifier: Apache-2.0
#include "headway/observe/paths.h"

#include <algorithm>
#include <utility>

namespace headway {

Paths::Paths(const Network& network)
    : network_(network),
      graph_(network.graph),
      has_choice_(network.selection.has_value()),
      by_load_(network.routes.detours && network.routes.detours->by_load),
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
  bool leads = false;
  for_each_output(graph_.switch_of(link), destination, [&](PortId output) { leads |= output == link; });
  return leads;
}

std::optional<bool> Paths::known(PortId output, NodeId destination, PortId link) const {
  if (output == link) return true;
  const PortId behind = graph_.peer_of(link);
  if (graph_.is_node_port(behind)) return graph_.node_of(behind) == destination;
  if (graph_.is_node_port(link) || !may_lead(link, destination)) return false;
  return std::nullopt;
}

bool Paths::crosses(const StateView& view, PortId output, const WaitingPacket& packet, PortId link) {
  if (output == link) return true;
  if (packet.course.via == kNone)
    if (const auto crosses = known(output, packet.destination, link)) return *crosses;
  if (has_choice_) return can_cross(output, packet.destination, link);
  if (by_load_ && packet.course.via == kNone)
    return leads_to(output, packet.destination, graph_.switch_of(link));
  if (by_load_) {  // on its detour, or where it may still take it, it can cross any link between switches
    const PortId behind = graph_.peer_of(link);
    return graph_.is_node_port(behind) ? graph_.node_of(behind) == packet.destination
                                       : !graph_.is_node_port(link);
  }
  return crosses_by(view, output, packet, packet.course.undecided, link);
}

// Follows the packet. If a switch may still send it on its detour, also follows the detour from every switch
// until the packet leaves its part of the network.
bool Paths::crosses_by(const StateView& view, PortId output, const WaitingPacket& packet, bool may_turn,
                       PortId link) const {
  const auto part_of = [&](SwitchId sw) { return network_.routes.detours->waypoint_of[sw]; };
  const std::uint32_t serial = view.drawn_by(packet);
  std::uint32_t via = may_turn ? kNone : packet.course.via;
  const SwitchId first = switch_behind_[output];
  for (SwitchId sw = first; sw != kNone; sw = switch_behind_[output]) {
    if (via != kNone && part_of(sw) == via) via = kNone;
    may_turn = may_turn && part_of(sw) == part_of(first);
    if (may_turn) {
      const PortId turned =
          view.next_output(sw, packet.course.via, packet.source, packet.destination, serial);
      if (turned == link || crosses_by(view, turned, packet, false, link)) return true;
    }
    output = view.next_output(sw, via, packet.source, packet.destination, serial);
    if (output == link) return true;
  }
  return false;
}

bool Paths::can_cross(PortId output, NodeId destination, PortId link) {
  if (const auto crosses = known(output, destination, link))
    return *crosses ||
           (network_.routes.detours && switch_behind_[link] != kNone && !graph_.is_node_port(link));
  // the routes of the switch at the link include it
  return network_.routes.detours || leads_to(output, destination, graph_.switch_of(link));
}

bool Paths::leads_to(PortId output, NodeId destination, SwitchId wanted) {
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
    if (sw == wanted) return true;
    for_each_output(sw, destination, [&](PortId output) { visit(graph_.peer_of(output)); });
  }
  return false;
}

void Paths::mark_from(const StateView& view, SwitchId sw, std::uint32_t via, const PacketView& packet) {
  if (by_load_ && via != kNone) return mark_ways_to(via, sw, packet.destination);
  while (via != kNone && network_.routes.detours->waypoint_of[sw] != via) {
    const PortId output = view.next_output(sw, via, packet.source, packet.destination, packet.serial);
    marked_[output] = true;
    sw = switch_behind_[output];
  }
  mark_from(sw, packet.destination);
}

void Paths::mark_ways_to(std::uint32_t via, SwitchId first, NodeId destination) {
  const Detours& detours = *network_.routes.detours;
  ++visits_;
  std::vector<SwitchId> reached = {first};
  visit_[first] = visits_;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const SwitchId sw = reached[i];
    if (detours.waypoint_of[sw] == via) {
      mark_from(sw, destination);
      continue;
    }
    const PortRange ports = detours.to_waypoint.at(sw, via);
    for (std::uint32_t number = 0; number < ports.count; ++number) {
      const PortId output = graph_.port(sw, detours.to_waypoint.port(sw, via, ports, number));
      marked_[output] = true;
      const SwitchId behind = switch_behind_[output];
      if (std::exchange(visit_[behind], visits_) != visits_) reached.push_back(behind);
    }
  }
}

void Paths::mark_unseen(SwitchId first, NodeId destination) {
  to_visit_.assign(1, first);
  while (!to_visit_.empty()) {
    const SwitchId sw = to_visit_.back();
    to_visit_.pop_back();
    for_each_output(sw, destination, [&](PortId next) {
      marked_[next] = true;
      if (const SwitchId behind = switch_behind_[next]; behind != kNone && see(behind, destination))
        to_visit_.push_back(behind);
    });
  }
}

void Paths::clear_marks() {
  std::ranges::fill(seen_, 0);
  marked_.assign(marked_.size(), false);
}

}  // namespace headway
