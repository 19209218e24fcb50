// SPDX-License-Identifier: Apache-2.0
// The rules of congestion control between the ends: which packets switches mark (marking.h), and how sources
// react to the marks (reaction.h). See docs/modelling.md, "Congestion control". Times in ticks.
#pragma once

#include <cstdint>
#include <vector>

#include "headway/base/ids.h"

namespace headway {

// What a switch compares to decide about marks.
enum class MarkBy : std::uint8_t {
  probability,  // bytes for an output, and a random draw (RED)
  threshold,    // bytes for an output (InfiniBand)
  isolation,    // packets that isolation has moved aside for an output (CCFIT)
};
// Outputs that mark packets although no packet could follow (victims of congestion elsewhere).
enum class VictimMask : std::uint8_t { none, nodes, all };

struct MarkingRules {
  MarkBy by = MarkBy::probability;
  std::uint64_t low = 0, high = 0;  // bytes; of isolation: packets
  std::uint32_t probability = 0;    // at `high`, times 2^32
  bool on_arrival = false;          // instead of at the departure
  bool roots_only = false;          // an output without room behind it does not mark, unless in the mask
  VictimMask victims = VictimMask::none;
  std::uint32_t every = 1;        // of the packets that may be marked at an output and lane, every n-th is
  std::uint32_t least_bytes = 0;  // shorter packets are not marked
};

inline constexpr std::uint64_t kFullRate = std::uint64_t{1} << 32;  // the rate of a node's link

enum class ReactionKind : std::uint8_t { dcqcn, dcqcn_nic, infiniband, timely, window };

// Rates and gains are fractions times 2^32.
struct ReactionRules {
  ReactionKind kind = ReactionKind::dcqcn;
  Tick notification_delay = 1;     // from the delivery of a packet to the source
  Tick notification_interval = 0;  // between two notifications of a flow, at least
  // Size of a notification that travels as a packet; 0: it has an effect after notification_delay.
  std::uint32_t notification_bytes = 0;
  // dcqcn
  std::uint64_t gain = 0;  // of alpha
  Tick alpha_timer = 1, rate_timer = 1;
  Tick cut_interval = 1;           // dcqcn_nic: between two cuts of the rate
  std::uint64_t byte_counter = 1;  // bytes
  std::uint32_t fast_recovery = 5;
  std::uint64_t additive = 0, hyper = 0, least_rate = 1;  // timely: additive and least_rate
  // infiniband
  std::uint32_t increase = 1, least_index = 0, most_index = 127;
  Tick recovery_timer = 1;
  std::uint32_t shift = 2;
  std::vector<std::uint32_t> multipliers;  // [index]
  bool by_service_level = false;           // one index and gate for all flows of a node and service level
  // timely
  std::uint64_t round_trip_gain = 0;             // of the mean change of round trips
  std::uint64_t decrease = 0;                    // beta
  Tick low_round_trip = 1, high_round_trip = 1;  // the rate only rises below, only falls above
  Tick least_round_trip = 1;                     // of the empty network; between two updates
  std::uint64_t segment = 1;                     // bytes between two updates, at least
  // window
  std::uint64_t window = 0;  // bytes of a flow in flight, at most

  bool has_rates() const { return kind != ReactionKind::window; }
  // Sources act on the notification of every packet, marked or not.
  bool acts_on_every_packet() const { return kind == ReactionKind::timely || kind == ReactionKind::window; }
};

}  // namespace headway
