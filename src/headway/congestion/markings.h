// SPDX-License-Identifier: Apache-2.0
// All markings, in the order in which they are listed after "none", and the rules of a network whose switches
// mark packets because of congestion. See docs/modelling.md, "Congestion control".
//
// A marking is a pair of files and its line here. It is a struct whose fields are its rules. It has:
//   State                   of an output and lane, at first; empty if it has none
//   kNeedsIsolation         true: it reads what isolation has moved aside
//   entry()                 name and parameters in specs
//   marks(state, ask)       whether a packet is marked, unless rules that all markings share say no. It can
//   ask:
//                           waiting(), the bytes that wait at its output and lane besides the packet;
//                           bytes(), of the packet; draw(), a number below 2^32 that depends on the packet
//                           and the switch only; with isolation at MarkAt::grant, most_of_root_lines(), the
//                           packets of the longest root line for the output, and is_of_root_line()
#pragma once

#include "headway/base/type_list.h"
#include "headway/congestion/infiniband_marking.h"
#include "headway/congestion/isolation_marking.h"
#include "headway/congestion/isolation_red.h"
#include "headway/congestion/red.h"

namespace headway {

using Markings = TypeList<Red, InfiniBandMarking, IsolationMarking, IsolationRed>;

// When a switch marks a packet: when it joins the packets that wait for its output, when it has left its
// queue at the input, or when it leaves the switch.
enum class MarkAt : std::uint8_t { arrival, grant, departure };
// Outputs that mark packets although no packet could follow (victims of congestion elsewhere).
enum class VictimMask : std::uint8_t { none, nodes, all };

struct MarkingRules {
  Markings::Variant own;
  MarkAt at = MarkAt::departure;
  bool roots_only = false;  // an output without room behind it does not mark, unless in the mask
  VictimMask victims = VictimMask::none;
  std::uint32_t every = 1;        // of the packets that may be marked at an output and lane, every n-th is
  std::uint32_t least_bytes = 0;  // shorter packets are not marked

  bool needs_isolation() const {
    return std::visit([](const auto& marking) { return marking.kNeedsIsolation; }, own);
  }
};

}  // namespace headway
