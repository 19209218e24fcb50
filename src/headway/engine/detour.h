// SPDX-License-Identifier: Apache-2.0
// Decides on arrival at a switch if a packet goes by its waypoint or straight to its destination (UGAL, PAR;
// docs/modelling.md, "Detours"). Both ways are judged by the packets ahead at their first links, times the
// links to cross: the way that is shorter in this measure is taken, the direct one if they are equal.
//
// Sources: Singh, "Load-balanced routing in interconnection networks", 2005 (UGAL); Kim, Dally, Scott and
// Abts, ISCA 2008, section 4 (local and global knowledge); Jiang, Kim and Dally, ISCA 2009, section 3 (PAR).
#pragma once

#include <cstdint>

#include "headway/engine/state.h"

namespace headway {

class DetourChoice {
 public:
  explicit DetourChoice(State& state) : state_(state) {}

  // For a packet that has arrived at a switch: sets its output there, and its course.
  void decide(Packet& packet) const {
    const Network& network = state_.network;
    const Detours& detours = *network.detours;
    const SwitchId sw = state_.ports[packet.next_output].owner;
    const Way direct = walk(packet, sw, kNone), detour = walk(packet, sw, packet.course.via);
    const std::uint64_t now = std::uint64_t{state_.ahead[direct.judged]} * direct.links;
    const std::uint64_t then = (std::uint64_t{state_.ahead[detour.judged]} + detours.bias) * detour.links;
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
  struct Way {
    PortId first = kNone;     // output by which it begins
    PortId judged = kNone;    // link by whose packets ahead it is judged
    std::uint32_t links = 0;  // between switches
  };

  Way walk(const Packet& packet, SwitchId sw, std::uint32_t via) const {
    const Network& network = state_.network;
    const Detours& detours = *network.detours;
    Way way;
    for (;;) {
      if (via != kNone && detours.waypoint_of[sw] == via) via = kNone;
      const PortId output = state_.output_by(sw, via, packet.source, packet.destination, packet.serial);
      if (way.first == kNone) way.first = way.judged = output;
      const SwitchId next = state_.ports[output].next_switch;
      if (next == kNone) return way;
      if (detours.kind == Detour::global && network.lane_rules.class_of(way.judged) != detours.watched &&
          network.lane_rules.class_of(output) == detours.watched)
        way.judged = output;
      ++way.links;
      sw = next;
    }
  }

  State& state_;
};

}  // namespace headway
