// SPDX-License-Identifier: Apache-2.0
// What a selection function can ask about a packet at the head of its queue that can leave by any of several
// outputs, and what it is. Source of all but `auto`: Gilabert et al., "On the influence of the selection
// function on the performance of fat-trees", Euro-Par 2006, section 4.
//
// A selection function is a struct in a file of its own and its line in rule.h. Its fields are its
// parameters. It has:
//   kName, kHelp              in specs
//   preferred(ask)            the candidate that a packet prefers
//   next_turn(turn, taken)    the turn of the switch after a packet has taken a candidate
//   describe(parameters)      if it has parameters
// and what differs from PlainSelection.
#pragma once

#include <cstdint>
#include <string_view>

#include "headway/base/ids.h"
#include "headway/base/shared_vector.h"
#include "headway/routing/route_table.h"

namespace headway {

// The place of a switch <s, o> in a tree.
struct TreePlace {
  Divisor ways;             // of its stage; k^s in a k-ary tree
  std::uint32_t digit = 0;  // its subtree's number among its siblings; o_s in a k-ary tree
};

// Addresses with digits, which only trees have.
struct TreeAddresses {
  SharedVector<TreePlace> places;  // [switch]; empty if the function does not use addresses
  SharedVector<NodeId> label_of;   // [node] number with the digits used; empty: the node number

  std::size_t bytes() const { return places.bytes() + label_of.bytes(); }
};

struct PlainSelection {
  static constexpr bool kUsesAddresses = false, kUsesCredits = false;
  static std::uint32_t next_turn(std::uint32_t turn, std::uint32_t) { return turn; }
};

// `room(i)` returns the credits of candidate i's link, over all virtual channels of the packet's group.
// `draw()` returns a number below 2^32 that is fixed for packet and switch.
template <class Room, class Draw>
struct Ask {
  const TreeAddresses& addresses;
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
    return addresses.places[here].ways.quotient(label(node)) % candidates;
  }
  std::uint32_t own_digit() const { return addresses.places[here].digit % candidates; }

  std::uint32_t drawn() const { return static_cast<std::uint32_t>(draw() * candidates >> 32); }

 private:
  std::uint32_t label(NodeId node) const {
    return addresses.label_of.empty() ? node : addresses.label_of[node];
  }
};

// clang 14 needs a deduction guide for aggregates.
template <class Room, class Draw>
Ask(const TreeAddresses&, SwitchId, NodeId, NodeId, std::uint32_t, std::uint32_t, Room, Draw)
    -> Ask<Room, Draw>;

}  // namespace headway
