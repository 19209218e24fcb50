// SPDX-License-Identifier: Apache-2.0
// All selection functions, in the order in which they are listed after "auto", and the rules of a network
// that chooses among outputs.
#pragma once

#include "headway/base/ids.h"
#include "headway/base/type_list.h"
#include "headway/selection/cp.h"
#include "headway/selection/cp_counts.h"
#include "headway/selection/ff.h"
#include "headway/selection/free_output.h"
#include "headway/selection/mc.h"
#include "headway/selection/none_free.h"
#include "headway/selection/rp.h"
#include "headway/selection/sadp.h"
#include "headway/selection/sdp.h"
#include "headway/selection/sop.h"
#include "headway/selection/ssp.h"

namespace headway {

using Selections = TypeList<Sadp, FirstFree, Ssp, Sdp, Sop, Cyclic, MostCredits, RandomPort>;

struct SelectionRule {
  Selections::Variant own = FirstFree();
  FreeOutput free = FreeOutput::room_credit;
  NoneFree none_free = NoneFree::wait;
  CpCounts cp_counts = CpCounts::chosen;
  TreeAddresses addresses;

  bool uses_credits() const {
    return std::visit([](const auto& function) { return function.kUsesCredits; }, own);
  }
  // Returns true if packets with one candidate move the turn of their switch, too.
  bool counts_all() const { return cp_counts == CpCounts::routed && std::holds_alternative<Cyclic>(own); }
  std::size_t bytes() const { return addresses.bytes(); }
};

// Switches remember the outputs that flows have taken, so that packets which follow each other take the same
// (docs/modelling.md, "Flowlets and messages").
struct FollowRule {
  bool by_message = false;    // packets of a message; false: of a flowlet
  Tick gap = 0;               // a flowlet ends when a flow has been silent for so long
  std::uint32_t entries = 1;  // of a switch's table
  bool shares = true;         // flows share the entries by a hash; false: each flow has its own
};

// Packets choose when they arrive at a switch, by what waits for its outputs (docs/modelling.md, "Choose on
// arrival").
struct ArrivalChoice {
  SelectionRule rule;  // a candidate has more room if less waits for it
  // In credits of what waits for an output:
  std::uint32_t free_load = 0;  // an output is free up to this
  std::uint32_t step = 1;       // what differs by less than a step is equal
};

}  // namespace headway
