// SPDX-License-Identifier: Apache-2.0
// Decides, when a packet arrives at a switch, whether it goes by its waypoint or directly to its destination
// (UGAL, PAR; docs/modelling.md, "Detours"). The cost of a path is the number of packets ahead at its first
// link, times the number of links to cross. The packet takes the detour if its cost, with a bias, is lower.
//
// Sources: Singh, "Load-balanced routing in interconnection networks", 2005 (UGAL); Kim, Dally, Scott and
// Abts, ISCA 2008, section 4 (local and global knowledge); Jiang, Kim and Dally, ISCA 2009, section 3 (PAR).
#pragma once

#include <cstdint>

#include "headway/engine/next_hop.h"

namespace headway {

class DetourChoice {
 public:
  explicit DetourChoice(State& state)
      : state_(state),
        bias_(state.network.routes.detours
                  ? std::uint64_t{state.network.routes.detours->bias} * state.packet_credits
                  : 0) {}

  // For a packet that has arrived at a switch: sets its output there, and its course.
  void decide(Packet& packet) const {
    const Network& network = state_.network;
    const Detours& detours = *network.routes.detours;
    const SwitchId sw = state_.ports[packet.next_output].owner;
    const std::uint64_t direct = cost_of(packet, packet.next_output, kNone, 0, UINT64_MAX);
    if (direct > 0) {  // else no detour costs less
      const PortId first =
          output_by(state_, sw, packet.course.via, packet.source, packet.destination, packet.serial);
      if (cost_of(packet, first, packet.course.via, bias_, direct) < direct) {
        packet.course.undecided = false;
        packet.next_output = first;
        return;
      }
    }
    const SwitchId next = state_.ports[packet.next_output].next_switch;
    if (detours.kind == Detour::progressive && detours.waypoint_of[next] == detours.waypoint_of[sw]) return;
    packet.course.undecided = false;
    packet.course.via = kNone;
  }

 private:
  // The cost of the path that begins with `output`, or a part of it that is at least `enough`. `bias`: in
  // credits per link.
  std::uint64_t cost_of(const Packet& packet, PortId output, std::uint32_t via, std::uint64_t bias,
                        std::uint64_t enough) const {
    const Network& network = state_.network;
    const Detours& detours = *network.routes.detours;
    const SwitchId last = state_.switch_of(packet.destination);
    // Packets ahead at the first link or, with `global`, at the first watched link, if there is one.
    std::uint64_t of_link = state_.ahead[output] + bias;
    bool seeks = detours.kind == Detour::global;
    for (std::uint64_t links = 1;; ++links) {
      if (seeks && network.routes.lanes.class_of(output) == detours.watched) {
        of_link = state_.ahead[output] + bias;
        seeks = false;
      }
      const std::uint64_t cost = of_link * links;
      if (!seeks && (cost == 0 || cost >= enough)) return cost;
      const SwitchId sw = state_.ports[output].next_switch;
      if (via != kNone && detours.waypoint_of[sw] == via) via = kNone;
      if (via == kNone && sw == last) return cost;
      output = output_by(state_, sw, via, packet.source, packet.destination, packet.serial);
    }
  }

  State& state_;
  std::uint64_t bias_;  // in credits
};

}  // namespace headway
