// SPDX-License-Identifier: Apache-2.0
// All reactions, in the order in which they are listed after "none", and the rules of a network that has one.
// A reaction is a pair of files and its line here; what all of them have is in limited_flow.h.
#pragma once

#include <array>

#include "headway/base/type_list.h"
#include "headway/congestion/congestion_window.h"
#include "headway/congestion/dcqcn.h"
#include "headway/congestion/infiniband_reaction.h"
#include "headway/congestion/timely.h"

namespace headway {

using Reactions = TypeList<Dcqcn, DcqcnNic, InfiniBandReaction, Timely, CongestionWindow>;

struct ReactionRules {
  Reactions::Variant own;
  Tick notification_delay = 1;     // from the delivery of a packet to the source
  Tick notification_interval = 0;  // between two notifications of a flow, at least
  // Size of a notification that travels as a packet; 0: it has an effect after notification_delay.
  std::uint32_t notification_bytes = 0;
  bool by_service_level = false;  // one state and gate for all flows of a node and service level

  bool has_rates() const {
    return std::visit([](const auto& reaction) { return reaction.kHasRates; }, own);
  }
  // For every packet that is delivered.
  bool needs_marks() const {
    static constexpr auto kNeeds =
        Reactions::with_all([]<class... All>() { return std::array{All::kNeedsMarks...}; });
    return kNeeds[own.index()];
  }
};

// A flow with the state that the reaction of its network gives it.
struct ReactingFlow : LimitedFlow {
  OfStates<Reactions>::One own;
};

}  // namespace headway
