// SPDX-License-Identifier: Apache-2.0
// Adaptive routing when a packet arrives at a switch: it chooses among its candidates by what waits for them,
// and then joins the queue of the output that it has chosen (docs/modelling.md, "Choose on arrival").
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "headway/engine/flow_table.h"
#include "headway/engine/next_hop.h"
#include "headway/engine/state.h"
#include "headway/selection/select.h"

namespace headway {

// What waits for an output is counted in credits of the memory that packets wait in.
inline std::uint32_t load_of(const State& state, const Packet& packet) {
  return state.network.pause ? state.lane_credits_of(packet) : state.credits_of(packet);
}

class AtArrival {
 public:
  explicit AtArrival(State& state) : state_(state) {}

  // Chooses for the packets that arrive at switches in this tick. Those of a switch choose one after the
  // other, in the order of their inputs' numbers XOR the draw of the tick, and see what the others have
  // chosen: packets that see the same would all take the same output.
  void choose_all(const Bucket& arrivals) {
    order_.clear();
    for (const Event event : arrivals) {
      const Packet& packet = state_.packets[event.b];
      const SwitchId sw = state_.ports[packet.next_output].owner;
      const std::uint64_t turn = packet.input ^ state_.draw_of_tick(state_.devices[sw].shuffle);
      order_.push_back({std::uint64_t{sw} << 32 | turn, event.b});
    }
    std::ranges::stable_sort(order_, {}, &Turn::key);
    for (const Turn& turn : order_) {
      Packet& packet = state_.packets[turn.packet];
      packet.next_output = chosen(turn.packet, static_cast<SwitchId>(turn.key >> 32));
      state_.ahead[packet.next_output] += load_of(state_, packet);
    }
  }

 private:
  struct Turn {
    std::uint64_t key;
    PacketId packet;
  };

  PortId chosen(PacketId id, SwitchId sw) {
    const Packet& packet = state_.packets[id];
    const Network& network = state_.network;
    const RouteTable& routes = state_.routes->table;
    const PortRange range = routes.at(sw, packet.destination);
    Device& device = state_.devices[sw];
    const ArrivalChoice& choice = *network.arrival_choice;
    const SelectionRule& rule = choice.rule;
    const auto output = [&](std::uint32_t candidate) {
      return device.first_port + routes.port(sw, packet.destination, range, candidate);
    };
    if (range.count == 1) {
      if (rule.counts_all()) device.turn = next_turn(rule, device.turn, 0);
      return output(0);
    }
    if (network.follow_rule) {
      const PortId followed = followed_output(state_, sw, id);
      for (std::uint32_t candidate = 0; candidate < range.count && followed != kNone; ++candidate) {
        if (output(candidate) != followed) continue;
        if (rule.counts_all()) device.turn = next_turn(rule, device.turn, 0);
        remember_output(state_, sw, id, followed);
        return followed;
      }
    }
    // A link that is down counts as one for which as much waits as can.
    const auto load = [&](std::uint32_t candidate) {
      const PortId port = output(candidate);
      return state_.is_down(network.link_port(port)) ? UINT32_MAX : state_.ahead[port];
    };
    const auto steps = [&](std::uint32_t candidate) { return load(candidate) / choice.step; };
    const auto room = [&](std::uint32_t candidate) { return UINT32_MAX - steps(candidate); };
    const auto drawn = [&] { return state_.draw(sw, packet.source, packet.serial); };
    const Ask ask{rule.addresses, sw,          packet.source, packet.destination,
                  range.count,    device.turn, room,          drawn};
    const std::uint32_t wanted = preferred(rule, ask);
    std::uint32_t taken = first_free(
        wanted, range.count, [&](std::uint32_t candidate) { return load(candidate) <= choice.free_load; });
    if (taken == kNone) taken = least(wanted, range.count, steps);
    device.turn = next_turn(rule, device.turn, taken);
    if (network.follow_rule) remember_output(state_, sw, id, output(taken));
    return output(taken);
  }

  // The candidate for which the least waits; of equal ones the first from the wanted one on.
  template <class Steps>
  static std::uint32_t least(std::uint32_t wanted, std::uint32_t candidates, Steps&& steps) {
    std::uint32_t best = wanted;
    for (std::uint32_t i = 1; i < candidates; ++i) {
      const std::uint32_t other = (wanted + i) % candidates;
      if (steps(other) < steps(best)) best = other;
    }
    return best;
  }

  State& state_;
  std::vector<Turn> order_;
};

}  // namespace headway
