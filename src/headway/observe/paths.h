// SPDX-License-Identifier: Apache-2.0
// Which links the packets of a network will cross.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "headway/engine/view.h"

namespace headway {

class Paths {
 public:
  explicit Paths(const Network& network);

  // Returns true if a packet that leaves its device by `output` will cross `link` (both are ports of the
  // graph). Adaptive routing and undecided detours choose the path later. In these cases it returns true if
  // the packet can cross the link, so the number of packets that do not cross is a lower bound.
  bool crosses(const StateView& view, PortId output, const WaitingPacket& packet, PortId link);
  // Returns true if it can cross the link; for any packet to the destination that is still at its node and
  // whose random draws are not known. With detours it can cross any link between switches.
  bool can_cross(PortId output, NodeId destination, PortId link);

  // Mark the links that a packet to this destination can cross on its direct path, behind an output of a
  // switch or adapter, or from a switch on.
  void mark_behind(PortId output, NodeId destination) {
    if (switch_behind_[output] != kNone) mark_from(switch_behind_[output], destination);
  }
  void mark_from(SwitchId sw, NodeId destination) {
    if (see(sw, destination)) mark_unseen(sw, destination);
  }
  // Marks the links of a packet that first goes to the waypoint `via`, if `via` is not kNone.
  void mark_from(const StateView& view, SwitchId sw, std::uint32_t via, const PacketView& packet);
  void mark_behind(const StateView& view, PortId output, const WaitingPacket& packet) {
    if (switch_behind_[output] != kNone)
      mark_from(view, switch_behind_[output], packet.course.undecided ? kNone : packet.course.via,
                {packet.source, packet.destination, packet.serial});
  }
  bool is_marked(PortId link) const { return marked_[link]; }
  void clear_marks();

  static std::uint64_t bytes(const Layout& layout);

 private:
  // Can a packet that leaves by this output reach a switch on its direct path?
  bool leads_to(PortId output, NodeId destination, SwitchId wanted);
  bool crosses_by(const StateView& view, PortId output, const WaitingPacket& packet, bool may_turn,
                  PortId link) const;
  // Whether it crosses, if that is known without a walk.
  std::optional<bool> known(PortId output, NodeId destination, PortId link) const;
  bool may_lead(PortId link, NodeId destination) const;  // by the routes of its switch
  // The outputs by which a packet to this destination can leave a switch on its direct path.
  template <class Visit>
  void for_each_output(SwitchId sw, NodeId destination, Visit&& visit) const {
    if (network_.routes.choices && graph_.switch_of(graph_.peer_of(graph_.node_port(destination))) != sw)
      return network_.for_each_candidate(sw, destination, visit);
    const PortRange routes = network_.routes.table.at(sw, destination);
    for (std::uint32_t i = 0; i < routes.count; ++i)
      visit(graph_.port(sw, network_.routes.table.port(sw, destination, routes, i)));
  }
  void mark_unseen(SwitchId sw, NodeId destination);
  // Where packets choose by load: the links from a switch to a waypoint, and those from there on.
  void mark_ways_to(std::uint32_t via, SwitchId first, NodeId destination);
  // Returns true at the first call for this switch and destination.
  bool see(SwitchId sw, NodeId destination) {
    const std::uint64_t place = std::uint64_t{sw} * nodes_ + destination;
    std::uint64_t& word = seen_[place / 64];
    const std::uint64_t bit = 1ULL << (place % 64);
    const bool first = (word & bit) == 0;
    word |= bit;
    return first;
  }

  const Network& network_;
  const Graph& graph_;
  bool has_choice_;  // some packets have several paths
  bool by_load_;     // packets choose among the candidates of their routes when they arrive (Detours)
  std::uint64_t nodes_;
  std::vector<SwitchId> switch_behind_;  // [port of the graph]; kNone: a node, or nothing
  std::vector<SwitchId> to_visit_;
  std::vector<std::uint32_t> visit_;  // [switch] number of the last search that visited it
  std::uint32_t visits_ = 0;
  std::vector<bool> marked_;         // [port of the graph]
  std::vector<std::uint64_t> seen_;  // [switch * nodes + destination] bits: links from there are marked
};

}  // namespace headway
