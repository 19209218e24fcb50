// SPDX-License-Identifier: Apache-2.0
// The selection functions: which of its candidates a packet prefers. If that one is not free, the packet
// takes the first free one after it in rotating order (the linear rotative search). A switch over the kind
// selects the function, so that a network only has the cost of its own function. Source: Gilabert et al.,
// Euro-Par 2006, section 4.
#pragma once

#include <cstdint>

#include "headway/selection/rule.h"

namespace headway {

// The input of a selection function: a packet at the head of its queue that can leave by any of several
// outputs. `room(i)` returns the credits of candidate i's link, over all virtual channels of the packet's
// group. `draw()` returns a number below 2^32 that is fixed for packet and switch.
template <class Room, class Draw>
struct Ask {
  const SelectionRule& rule;
  SwitchId here;
  NodeId source;
  NodeId destination;
  std::uint32_t candidates;
  std::uint32_t turn;  // state of the switch, set by the last success (next_turn)
  Room room;
  Draw draw;

  // Digits of a node's address and of this switch's position in the tree. With k candidates, digits are to
  // the base k.
  std::uint32_t lowest_digit(NodeId node) const { return label(node) % candidates; }
  std::uint32_t digit_of_stage(NodeId node) const {
    return rule.places[here].ways.quotient(label(node)) % candidates;
  }
  std::uint32_t own_digit() const { return rule.places[here].digit % candidates; }

  std::uint32_t drawn() const { return static_cast<std::uint32_t>(draw() * candidates >> 32); }

 private:
  std::uint32_t label(NodeId node) const { return rule.label_of.empty() ? node : rule.label_of[node]; }
};

// clang 14 needs a deduction guide for aggregates.
template <class Room, class Draw>
Ask(const SelectionRule&, SwitchId, NodeId, NodeId, std::uint32_t, std::uint32_t, Room, Draw)
    -> Ask<Room, Draw>;

// More Credits: the port with the most credits over its virtual channels. Choice: among equal ports, the
// first one at or after a pointer of the switch, which moves to the output after the last chosen one, or at
// or after a random port. With credits for two packets nearly all ports are equal, and always taking the
// lowest one would be First Free.
template <class Ask>
[[gnu::always_inline]] inline std::uint32_t most_credits(const Ask& ask) {
  const std::uint32_t start = ask.rule.random_ties ? ask.drawn() : ask.turn % ask.candidates;
  std::uint32_t best = start;
  for (std::uint32_t step = 1; step < ask.candidates; ++step) {
    const std::uint32_t other = (start + step) % ask.candidates;
    if (ask.room(other) > ask.room(best)) best = other;
  }
  return best;
}

// The candidate that the packet prefers.
template <class Ask>
[[gnu::always_inline]] inline std::uint32_t preferred(const Ask& ask) {
  switch (ask.rule.kind) {
    // First Free: the first candidate. The first links fill before the others are used.
    case SelectionKind::ff:
      return 0;
    // Static Switch Priority: the digit of its stage in the switch's own number. Each switch of the first
    // stage has its own upward path.
    case SelectionKind::ssp:
      return ask.own_digit();
    // Static Destination Priority: the lowest digit of the destination's number, the same in every stage, so
    // that paths to destinations with other lowest digits are disjoint.
    case SelectionKind::sdp:
      return ask.lowest_digit(ask.destination);
    // Static Origin Priority: the lowest digit of the source's number, the same in every stage.
    case SelectionKind::sop:
      return ask.lowest_digit(ask.source);
    // Stage And Destination Priority: the stage's digit of the destination's number, so that a switch of the
    // last stage receives destinations that differ only in the highest digit, and forwards each on its own
    // down link. Without the search for another link this is DET.
    case SelectionKind::sadp:
      return ask.digit_of_stage(ask.destination);
    // Cyclic Priority: a counter of the switch that advances with every routed packet. Choice: it advances
    // with every packet that finds an output, and not with a failed search.
    case SelectionKind::cp:
      return ask.turn % ask.candidates;
    case SelectionKind::mc:
      return most_credits(ask);
    // Random Priority: a random candidate, drawn once per packet and switch.
    case SelectionKind::rp:
      return ask.drawn();
  }
  return 0;
}

// The candidate that the packet takes, or kNone if none is free.
template <class Ask, class Free>
[[gnu::always_inline]] inline std::uint32_t select(const Ask& ask, Free&& is_free) {
  std::uint32_t candidate = preferred(ask);
  for (std::uint32_t tried = 0; tried < ask.candidates; ++tried) {
    if (is_free(candidate)) return candidate;
    if (++candidate == ask.candidates) candidate = 0;
  }
  return kNone;
}

// The switch's turn after a packet has taken a candidate.
inline std::uint32_t next_turn(SelectionKind kind, std::uint32_t turn, std::uint32_t taken) {
  if (kind == SelectionKind::cp) return turn + 1;
  return kind == SelectionKind::mc ? taken + 1 : turn;
}

}  // namespace headway
