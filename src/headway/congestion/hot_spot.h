// SPDX-License-Identifier: Apache-2.0
// A hot spot, for the note of a reaction that cannot hold it: note_of_hot_spot (compile/notes.h) finds it.
#pragma once

#include <cstdint>

#include "headway/base/ids.h"

namespace headway {

// The nodes that send to one node more than its link carries, if they always send it a part of their traffic.
struct HotSpot {
  static constexpr double kFull = 1 + 1e-9;  // sums of loads are rounded

  NodeId destination = 0;
  std::uint32_t sources = 0;  // 0: there is none
  double slowed = 0;          // what they send over what the link carries, if none has more than a given rate
};

// A hot spot in a network with a marking and a reaction.
struct HotSpotOfNetwork : HotSpot {
  double marked_ns =
      0;  // between two marked packets, if the link is full and all of its packets may be marked
  double tick_ns = 1;
  bool by_service_level = false;  // ReactionRules::by_service_level
};

}  // namespace headway
