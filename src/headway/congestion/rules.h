// SPDX-License-Identifier: Apache-2.0
// The rules of ports whose queues share a memory, as a queueing scheme states them: congestion isolation
// (isolation.h) and queues owned by destinations with an overflow queue (overflow.h).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "headway/base/ids.h"

namespace headway {

enum class IsolationKey : std::uint8_t {
  destination,  // a line learns destinations from packets that arrive (FBICM)
  route,        // a line holds all destinations whose route leads to its congested port (RECN-IQ): with one
                // path per pair, a prefix of a source route is the set of destinations that it leads to
};

// Times in ticks. Thresholds are in full packets; Isolation takes them in credits.
struct IsolationRules {
  static constexpr std::uint32_t kMostLines = 16;

  IsolationKey key = IsolationKey::destination;
  std::uint32_t lines = 8;                // CFQs per port, at most kMostLines
  std::uint32_t detection_threshold = 5;  // more than this in the NFQ: the output of its head is congested
  std::uint32_t stop_threshold = 10;      // more than this in a CFQ: Stop
  std::uint32_t go_threshold = 4;         // this or less: Go; not above stop_threshold
  Tick idle = 256;                        // an empty line is kept for this time
  std::optional<Tick> signal_delay;       // delay of Stop, Go and Free; none: the delay of the link
  // Size of a signal on the reverse link, in bytes; 0: signals use no link bandwidth.
  std::uint32_t signal_bytes = 0;
  bool nearest_last = false;    // lines of the nearest congestion are last in a port's order, not first
  bool pass_when_full = false;  // the head of the NFQ can ignore a Stop if no line is free for it

  // These rules with thresholds in credits, of which a full packet takes this number.
  IsolationRules in_credits(std::uint32_t of_packet) const {
    IsolationRules rules = *this;
    for (std::uint32_t* threshold : {&rules.detection_threshold, &rules.stop_threshold, &rules.go_threshold})
      *threshold *= of_packet;
    return rules;
  }
};

// The queue of a set that is taken from its destination; among equal ones, the one that received a packet
// least recently.
enum class Replacement : std::uint8_t {
  none,
  lru,       // the queue that received a packet least recently
  oldest,    // the queue that its destination has owned for the longest time
  shortest,  // the queue with the fewest packets, so the fewest packets move
  longest,   // the queue with the most packets, so the probable cause of the congestion moves to the overflow
             // queue
};
// The destination in the overflow queue that gets a free queue.
enum class Restoration : std::uint8_t {
  none,
  first,  // that of the first packet that can use the queue
  most,   // that with the most packets there; among equal ones, the one whose packet comes first
};

struct OverflowRules {
  std::uint32_t queues = 8;           // that destinations can own, in sets
  std::uint32_t ways = 1;             // queues of a set
  std::vector<std::uint32_t> set_of;  // [destination] the set whose queues it may use
  Replacement replacement = Replacement::none;
  Restoration restoration = Restoration::none;
};

}  // namespace headway
