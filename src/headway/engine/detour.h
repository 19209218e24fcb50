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
    const Path direct = walk(packet, sw, kNone), detour = walk(packet, sw, packet.course.via);
    const std::uint64_t now = std::uint64_t{state_.ahead[direct.judged]} * direct.links;
    const std::uint64_t then = (state_.ahead[detour.judged] + bias_) * detour.links;
    if (now > then) {
      packet.course.undecided = false;
      packet.next_output = detour.first;
      return;
    }
    const SwitchId next = state_.ports[direct.first].next_switch;
    if (detours.kind == Detour::progressive && detours.waypoint_of[next] == detours.waypoint_of[sw]) return;
    packet.course.undecided = false;
    packet.course.via = kNone;
  }

 private:
  struct Path {
    PortId first = kNone;     // its first output
    PortId judged = kNone;    // the link whose packets ahead give the cost
    std::uint32_t links = 0;  // number of links between switches
  };

  Path walk(const Packet& packet, SwitchId sw, std::uint32_t via) const {
    const Network& network = state_.network;
    const Detours& detours = *network.routes.detours;
    const SwitchId last = state_.switch_of(packet.destination);
    Path path;
    for (;;) {
      if (via != kNone && detours.waypoint_of[sw] == via) via = kNone;
      if (via == kNone && sw == last) return path;
      const PortId output = output_by(state_, sw, via, packet.source, packet.destination, packet.serial);
      if (path.first == kNone) path.first = path.judged = output;
      const SwitchId next = state_.ports[output].next_switch;
      if (detours.kind == Detour::global && network.routes.lanes.class_of(path.judged) != detours.watched &&
          network.routes.lanes.class_of(output) == detours.watched)
        path.judged = output;
      ++path.links;
      sw = next;
    }
  }

  State& state_;
  std::uint64_t bias_;  // in credits
};

}  // namespace headway
