// SPDX-License-Identifier: Apache-2.0
// Cuts a network into parts, each of which one thread simulates (parts.h).
#pragma once

#include <cstdint>
#include <vector>

#include "headway/engine/network.h"
#include "headway/engine/workload.h"

namespace headway {

// A part has whole switches, with the adapters of their nodes and with their output units.
struct NetworkCut {
  std::vector<std::uint8_t> part_of;  // [device]
  std::uint32_t parts = 1;
  // What happens in one part has no effect on others until this many ticks later. 0: the parts cannot be
  // simulated separately.
  Tick look_ahead = 0;
  // That sources generate within the look-ahead, on average over the time in which they send, as far as the
  // links of their destinations carry them.
  double packets_in_epoch = 0;
};

inline constexpr std::uint32_t kMostParts = 64;

// Each part has a switch with nodes.
std::uint32_t most_parts(const Network& network);

// With fewer of them, a part saves less time than the exchange of mail takes (docs/decisions.md).
inline constexpr double kPacketsWorthAPart = 16;

// Cuts a network into `parts` whose nodes send about as much each. The nodes of a part are consecutive, and
// every switch without nodes joins the part of most of its neighbours: a part of a tree has subtrees and a
// share of the roots, a part of a dragonfly has groups, and a part of a torus has slices.
NetworkCut cut_of(const Network& network, const Workload& workload, std::uint32_t parts);

}  // namespace headway
