// SPDX-License-Identifier: Apache-2.0
// Adaptive routing: a packet that has several candidates chooses its output when it heads its queue
// (docs/modelling.md, "Choose"). Until then it requests no output and is in its input's list of `unbound`
// heads. A selection function binds it to an output: the packet takes one credit there and requests the
// output. From then on it waits only for the crossbar.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "headway/arbitration/arbiters.h"
#include "headway/engine/flow_table.h"
#include "headway/engine/forecast.h"
#include "headway/engine/in_turn.h"
#include "headway/engine/marking.h"
#include "headway/engine/next_hop.h"
#include "headway/engine/requests.h"
#include "headway/engine/shape.h"
#include "headway/engine/state.h"
#include "headway/selection/select.h"

namespace headway {

// Returns true if a packet can choose this output of its switch because there is room behind it, in `target`,
// and more than it must leave (Network::room_to_leave). `needed`: State::credits_of the packet.
template <bool kCioq, class Credits>
bool has_room_behind(const State& state, const Device& device, PortId output, std::uint32_t target,
                     std::uint32_t to_leave, Credits needed) {
  constexpr bool kCells = !std::is_same_v<Credits, OneSlot>;
  if (!state.flow.has_room(target, state.network.queue_map.channels, needed)) return false;
  if (to_leave > 0 && target != state.sink() && state.flow.room_of_group(target) <= to_leave) return false;
  if (!kCioq) return true;
  const std::uint32_t output_first = state.output_queue(output, target, 0);  // no node is behind it
  if (!state.flow.has_room(output_first, device.channels, needed)) return false;
  if (!state.needs_spare_credit || target == state.sink()) return true;
  std::uint32_t waiting = needed - 1;
  for (std::uint32_t c = 0; c < device.channels; ++c)
    waiting += state.credits_in(output_first + c, kCells && state.network.has_cells());
  return waiting < state.flow.room_of_group(target);
}
// has_room_behind for any network.
inline bool has_room_behind(const State& state, const Device& device, PortId output, std::uint32_t target,
                            std::uint32_t to_leave, const Packet& packet) {
  const auto ask = [&](auto needed) {
    return state.network.has_output_units()
               ? has_room_behind<true>(state, device, output, target, to_leave, needed)
               : has_room_behind<false>(state, device, output, target, to_leave, needed);
  };
  return state.network.has_cells() ? ask(state.credits_of<true>(packet)) : ask(OneSlot{});
}

// Returns true if a packet can choose this output of its switch. target(): the queue behind the output.
template <EngineShape kShape, class Target, class Credits>
[[gnu::always_inline]] inline bool is_free(State& state, Device& device, PortId output, Target&& target,
                                           std::uint32_t to_leave, Credits needed) {
  if (state.chooses_now && !state.crossbar<kShape.ports>(device).is_free_output(output - device.first_port))
    return false;
  if (kShape.may_have_ends() && state.is_down(state.network.link_port(output))) return false;
  return kShape.has_cioq(state.network)
             ? has_room_behind<true>(state, device, output, target(), to_leave, needed)
             : has_room_behind<false>(state, device, output, target(), to_leave, needed);
}

template <EngineShape kShape>
class AdaptiveChoice {
 public:
  AdaptiveChoice(State& state, Forecast<kShape.ports>& forecast, std::uint32_t forecast_from)
      : state_(state), forecast_(forecast), forecast_from_(forecast_from) {}

  // Sets the output of a packet that has arrived at a switch, unless it has several candidates.
  void find_output(Packet& packet) const {
    packet.output = kNone;
    if (packet.later.candidates > 1) return;
    if (state_.counts_all_routed) count_routed(state_.devices[state_.ports[packet.next_output].owner]);
    if (kShape.has_lanes(state_.network))
      return take_candidate(packet, kShape.may_have_ends() && state_.network.routes.choices
                                        ? candidate_of_choices(state_, packet.next_output, packet)
                                        : candidate_of_routes(state_, packet.next_output, packet));
    set_output(packet, packet.next_output,
               queue_behind(state_, packet.next_output, packet.source, packet.destination));
  }

  // There is more room behind the crossbar, or a credit for a link. Heads without an output can find this
  // output free.
  void on_room(const PortState& sender, bool had_room) {
    if (had_room && !state_.needs_spare_credit && !state_.network.routes.choices) return;
    const bool from_output_unit = kShape.has_cioq(state_.network) && sender.owner >= state_.first_output_unit;
    const std::uint32_t owner = from_output_unit ? state_.ports[sender.source].owner : sender.owner;
    if (state_.network.is_switch(owner)) ask_again(owner);
  }

  void ask_again(SwitchId id) {
    Device& device = state_.devices[id];
    ask(state_, has_unbound(device), device, id);
  }

  bool has_unbound(Device& device) { return !crossbar_of(device).unbound().empty(); }

  // Chooses outputs for heads that have none, at all asking switches: before the rounds of a tick, and again
  // for heads that grants have exposed. Switches that choose in their rounds (FreeOutput::now) are excluded.
  void choose_all() {
    auto& asking = state_.asking_switches;
    if (asking.count == 0) return;
    const auto id = [&](std::uint32_t round) { return asking.devices[round]; };
    const auto play = [&](std::uint32_t round) {
      Device& device = state_.devices[id(round)];
      device.asks = false;
      choose_outputs(id(round), device, [](std::uint32_t, const Request&) {});
    };
    const auto fetch_device = [&](std::uint32_t round) { forecast_.fetch_device(id(round)); };
    if constexpr (kShape.ports == PortCount::many)
      in_turn<2 * Forecast<kShape.ports>::kAhead>(asking.count, forecast_from_, play, fetch_device);
    else
      in_turn<Forecast<kShape.ports>::kAhead>(
          asking.count, forecast_from_, play, fetch_device,
          [&](std::uint32_t round) { forecast_.fetch_unbound(round, id(round)); },
          [&](std::uint32_t round) { forecast_.fetch_unbound_queue(round, id(round)); },
          [&](std::uint32_t round) { forecast_.fetch_head(round); },
          [&](std::uint32_t round) { forecast_.fetch_candidates(round); },
          [&](std::uint32_t round) { forecast_.fetch_room(round); });
    asking.count = 0;
  }

  // Heads without an output choose one. Inputs take turns, beginning with a drawn one. If an output is free
  // only when the packet can be transferred at once, take(output, request) transfers it.
  template <class Take>
  void choose_outputs(std::uint32_t id, Device& device, Take&& take) {
    const bool now = state_.chooses_now;
    auto crossbar = crossbar_of(device);
    const auto inputs = crossbar.unbound_inputs(now);
    inputs.visit_from(inputs.has_several() ? inputs.at_share(state_.draw_of_tick(mix64(~id))) : 0,
                      [&](std::uint32_t input) __attribute__((always_inline)) {
                        for (std::uint32_t queue = first_unbound(state_, device, input); queue != kNone;) {
                          const std::uint32_t next = state_.queues[queue].next_request;
                          const PacketId head = state_.queues[queue].head;
                          if (kShape.may_have_ends() && state_.network.follow_rule) follow(id, device, head);
                          const Candidate chosen = choose(id, device, state_.packets[head]);
                          if (const PortId output = chosen.output; output != kNone) {
                            bind(device, input, queue, chosen);
                            if (now) {
                              take(output - device.first_port, Request{input, queue});
                              return false;
                            }
                            touch<kShape.ports>(state_, state_.ports[output], device, input,
                                                state_.touched_switches);
                          }
                          queue = next;
                        }
                        return false;
                      });
  }

 private:
  auto credits_of(const Packet& packet) const {
    return state_.template credits_of<kShape.may_have_cells()>(packet);
  }
  Crossbar<kShape.ports> crossbar_of(Device& device) { return state_.crossbar<kShape.ports>(device); }

  // A packet with one candidate is routed.
  void count_routed(Device& device) const {
    device.turn = next_turn(*state_.network.selection, device.turn, 0);
  }

  // A head that asks for the first time keeps to the output of its flow, if it follows others.
  [[gnu::noinline]] void follow(SwitchId sw, Device& device, PacketId head) {
    Packet& packet = state_.packets[head];
    std::uint32_t& candidates = packet.later.candidates;
    if (candidates == 1 || (candidates & Packet::Later::kHasAsked) != 0) return;
    const std::uint32_t count = std::exchange(candidates, candidates | Packet::Later::kHasAsked);
    const PortId followed = followed_output(state_, sw, head);
    if (followed == kNone || followed - packet.next_output >= count) return;
    packet.next_output = followed;
    candidates = 1;
    if (state_.counts_all_routed) count_routed(device);
  }
  // Of a head that chooses.
  static std::uint32_t candidates_of(const Packet& packet) {
    return kShape.may_have_ends() ? static_cast<std::uint16_t>(packet.later.candidates)
                                  : packet.later.candidates;
  }

  // The free output that the selection function chooses; kNone if no output is free.
  [[gnu::always_inline]] Candidate choose(std::uint32_t id, Device& device, Packet& packet) {
    if (kShape.has_lanes(state_.network))
      return state_.network.routes.choices ? choose_or_escape(id, device, packet)
                                           : choose_in_lanes(id, device, packet);
    const PortId first = packet.next_output;
    const auto target = [&](std::uint32_t candidate) {
      return queue_behind(state_, first + candidate, packet.source, packet.destination);
    };
    const std::uint32_t taken = choose_among(
        id, device, packet, candidates_of(packet), [&](std::uint32_t candidate) { return first + candidate; },
        target, 0);
    if (taken == kNone) return {};
    return {first + taken, target(taken), {}};
  }

  // The choice in a network with lanes.
  [[gnu::noinline]] Candidate choose_in_lanes(std::uint32_t id, Device& device, Packet& packet) {
    const auto numbered = [&](std::uint32_t candidate) {
      return candidate_of_routes(state_, packet.next_output + candidate, packet);
    };
    const std::uint32_t taken = choose_among(
        id, device, packet, candidates_of(packet),
        [&](std::uint32_t candidate) { return packet.next_output + candidate; },
        [&](std::uint32_t candidate) { return numbered(candidate).target; }, 0);
    return taken == kNone ? Candidate{} : numbered(taken);
  }

  // The choice in a network with an escape, which is taken if no other output is free.
  [[gnu::noinline]] Candidate choose_or_escape(std::uint32_t id, Device& device, Packet& packet) {
    const Network& network = state_.network;
    PortList room;
    const MinimalPorts::Ports ports = network.routes.choices->at(id, packet.destination, room);
    // most heads that find no output free, the escape among them, are done here
    const auto is_taken = [&](std::uint32_t port) { return !crossbar_of(device).is_free_output(port); };
    if (state_.chooses_now && std::ranges::all_of(ports, is_taken)) return {};
    const std::uint32_t lane =
        network.lane_of_choices(network.routes.lanes.service_of_level(packet.course.level));
    const auto output = [&](std::uint32_t candidate) { return device.first_port + ports[candidate]; };
    const auto target = [&](std::uint32_t candidate) {
      return queue_behind(state_, output(candidate), packet.source, packet.destination, lane);
    };
    const std::uint32_t to_leave = network.room_to_leave(device.first_port + packet.input);
    const std::uint32_t taken =
        choose_among(id, device, packet, static_cast<std::uint32_t>(ports.size()), output, target, to_leave);
    if (taken != kNone) return candidate_of_choices(state_, output(taken), packet);
    const Candidate escape = escape_of(state_, id, packet);
    const bool escapes =
        is_free<kShape>(state_, device, escape.output, [&] { return escape.target; }, 0, credits_of(packet));
    return escapes ? escape : Candidate{};
  }

  // The number of the candidate that the selection function chooses, or kNone.
  template <class Output, class Target>
  [[gnu::always_inline]] std::uint32_t choose_among(std::uint32_t id, Device& device, Packet& packet,
                                                    std::uint32_t candidates, Output&& output,
                                                    Target&& target, std::uint32_t to_leave) {
    const SelectionRule& rule = *state_.network.selection;
    const auto room = [&](std::uint32_t candidate) { return state_.flow.room_of_group(target(candidate)); };
    const auto drawn = [&] { return draw(id, packet.source, packet.serial); };
    const Ask ask{rule.addresses, id,          packet.source, packet.destination,
                  candidates,     device.turn, room,          drawn};
    const auto needed = credits_of(packet);
    const std::uint32_t wanted = preferred(rule, ask);
    const std::uint32_t taken = first_free(wanted, candidates, [&](std::uint32_t candidate) {
      return is_free<kShape>(
          state_, device, output(candidate), [&] { return target(candidate); }, to_leave, needed);
    });
    if (packet.later.candidates == 1) return taken;  // it keeps to this output, and its turn has passed
    if (taken != kNone)
      device.turn = next_turn(rule, device.turn, taken);
    else if (state_.keeps_preferred)
      keep(packet, device, wanted);
    return taken;
  }

  // From now on, the head asks only for the output that it prefers.
  void keep(Packet& packet, Device& device, std::uint32_t wanted) const {
    device.turn = next_turn(*state_.network.selection, device.turn, wanted);
    packet.next_output += wanted;
    packet.later.candidates = 1;
  }

  // Out of line, because the compiler would compute a part of it for rules that do not draw, too.
  [[gnu::noinline]] std::uint64_t draw(std::uint32_t id, NodeId source, std::uint32_t serial) const {
    return state_.draw(id, source, serial);
  }

  // Binds the head of the input's queue to an output: takes room behind the crossbar and requests the output.
  [[gnu::always_inline]] void bind(Device& device, std::uint32_t input, std::uint32_t queue_id,
                                   const Candidate& chosen) {
    Queue& queue = state_.queues[queue_id];
    if (unlink(state_, state_.unbound[device.first_port + input], device, input, queue_id))
      crossbar_of(device).unbound().erase(input);
    Packet& packet = state_.packets[queue.head];
    if (kShape.has_lanes(state_.network))
      take_candidate(packet, chosen);
    else
      set_output(packet, chosen.output, chosen.target);
    if (kShape.may_have_ends() && state_.control) join_output(state_, queue.head);
    if (kShape.may_have_ends() && state_.network.follow_rule)
      remember_output(state_, state_.ports[chosen.output].owner, queue.head, chosen.output);
    const bool to_node = packet.target == state_.sink();
    const auto credits = credits_of(packet);
    if (device.channels > 1 && !to_node)
      packet.target =
          state_.flow.choose_channel(packet.target, state_.ports[chosen.output].next_queue, credits);
    // With pauses, the head takes no room before it is granted.
    const bool takes = !kShape.may_have_ends() || !state_.network.pause || kShape.has_cioq(state_.network);
    if (!to_node && takes) state_.flow.take(packet.target, credits);
    add_request<kShape.ports>(state_, device, input, queue_id, packet);
    if (takes) queue.target = state_.sink();
  }

  void take_candidate(Packet& packet, const Candidate& chosen) const {
    packet.course = chosen.course;
    set_output(packet, chosen.output, chosen.target);
  }
  void set_output(Packet& packet, PortId output, std::uint32_t target) const {
    packet.output = output;
    packet.target = target;
    if (kShape.has_cioq(state_.network)) {
      packet.later.target_after = packet.target;
      packet.target = state_.output_queue(output, packet.target, packet.course.lane);
    }
  }

  State& state_;
  Forecast<kShape.ports>& forecast_;
  std::uint32_t forecast_from_;
};

}  // namespace headway
