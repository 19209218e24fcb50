// SPDX-License-Identifier: Apache-2.0
// The input of a selection function: a packet at the head of its queue that can leave by any of several
// outputs.
#pragma once

#include <cstdint>

#include "headway/selection/rule.h"

namespace headway {

// `room(i)` returns the credits of candidate i's link, over all virtual channels of the packet's group.
// `draw()` returns a number below 2^32 that is fixed for packet and switch.
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

}  // namespace headway
