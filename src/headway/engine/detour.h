// SPDX-License-Identifier: Apache-2.0
// Decides, when a packet arrives at a switch, whether it goes by its waypoint or directly to its destination
// (UGAL, PAR; docs/modelling.md, "Detours"), and which of several equally short paths it takes. The cost of a
// path is the number of packets ahead at its first link, times the number of links to cross. The packet takes
// the detour if its cost, with a bias, is lower.
//
// Sources: Singh, "Load-balanced routing in interconnection networks", 2005 (UGAL); Kim, Dally, Scott and
// Abts, ISCA 2008, section 4 (local and global knowledge); Jiang, Kim and Dally, ISCA 2009, section 3 (PAR).
#pragma once

#include <cstdint>

#include "headway/engine/next_hop.h"

namespace headway {

// The credits of a packet have returned to this output over its link. In a switch with output units, they can
// also come from the unit to the crossbar; then the packet still counts as ahead.
inline void note_back(State& state, PortId sender, std::uint32_t credits, bool is_cioq) {
  const bool of_switch = !state.network.is_adapter_port(sender);
  const bool over_link = !is_cioq || sender >= state.network.layout.graph_ports;
  if (of_switch && over_link) state.ahead[state.network.graph_port(sender)] -= credits;
}

class DetourChoice {
 public:
  explicit DetourChoice(State& state)
      : state_(state),
        bias_(state.network.routes.detours
                  ? std::uint64_t{state.network.routes.detours->bias} * state.packet_credits
                  : 0),
        by_load_(state.network.routes.detours && state.network.routes.detours->by_load) {}

  // For a packet that has arrived at a switch: sets its output there, and its course.
  void decide(Packet& packet) const {
    if (packet.course.undecided)
      choose_path(packet);
    else if (by_load_)
      packet.next_output = least_ahead(packet, state_.ports[packet.next_output].owner, packet.course.via);
  }

 private:
  struct Path {
    PortId output = kNone;
    std::uint64_t cost = 0;
  };

  void choose_path(Packet& packet) const {
    const Detours& detours = *state_.network.routes.detours;
    const SwitchId sw = state_.ports[packet.next_output].owner;
    const Path direct = cheapest(packet, sw, kNone, 0, UINT64_MAX);
    packet.next_output = direct.output;
    if (direct.cost > 0) {  // else no detour costs less
      const Path detour = cheapest(packet, sw, packet.course.via, bias_, direct.cost);
      if (detour.cost < direct.cost) {
        packet.course.undecided = false;
        packet.next_output = detour.output;
        return;
      }
    }
    const SwitchId next = state_.ports[packet.next_output].next_switch;
    if (detours.kind == Detour::progressive && detours.waypoint_of[next] == detours.waypoint_of[sw]) return;
    packet.course.undecided = false;
    packet.course.via = kNone;
  }

  // The path with the lowest cost among those that begin with a candidate, or a path that costs at least
  // `enough`. Of equal costs the first one counts from the candidate that the packet has drawn.
  Path cheapest(const Packet& packet, SwitchId sw, std::uint32_t via, std::uint64_t bias,
                std::uint64_t enough) const {
    if (!by_load_) {
      const PortId drawn = via == kNone ? packet.next_output : output_towards(packet, sw, via);
      return {drawn, cost_of(packet, drawn, via, bias, enough)};
    }
    Path best{kNone, enough};
    for_each_candidate(packet, sw, via, [&](PortId output) {
      const std::uint64_t cost = cost_of(packet, output, via, bias, best.cost);
      if (best.output == kNone || cost < best.cost) best = {output, cost};
      return best.cost > 0;
    });
    return best;
  }

  // The candidate with the fewest packets ahead, in the same order.
  PortId least_ahead(const Packet& packet, SwitchId sw, std::uint32_t via) const {
    PortId best = kNone;
    for_each_candidate(packet, sw, via, [&](PortId output) {
      if (best == kNone || state_.ahead[output] < state_.ahead[best]) best = output;
      return state_.ahead[best] > 0;
    });
    return best;
  }

  // Calls visit(output) for the candidates of a switch, beginning with the one that the packet has drawn, as
  // long as it returns true.
  template <class Visit>
  void for_each_candidate(const Packet& packet, SwitchId sw, std::uint32_t via, Visit&& visit) const {
    const Network& network = state_.network;
    const RouteTable& routes = via == kNone ? network.routes.table : network.routes.detours->to_waypoint;
    const std::uint32_t to = via == kNone ? packet.destination : via;
    const PortRange range = routes.at(sw, to);
    const auto first =
        range.count == 1
            ? 0U
            : static_cast<std::uint32_t>(state_.draw(sw, packet.source, packet.serial) * range.count >> 32);
    for (std::uint32_t i = 0; i < range.count; ++i) {
      const std::uint32_t number = first + i < range.count ? first + i : first + i - range.count;
      if (!visit(network.first_port[sw] + routes.port(sw, to, range, number))) return;
    }
  }

  PortId output_towards(const Packet& packet, SwitchId sw, std::uint32_t via) const {
    return output_by</*kEnds=*/false>(state_, sw, via, packet.source, packet.destination, packet.serial);
  }

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
      output = seeks && by_load_ ? least_ahead(packet, sw, via) : output_towards(packet, sw, via);
    }
  }

  State& state_;
  std::uint64_t bias_;  // in credits
  bool by_load_;
};

}  // namespace headway
