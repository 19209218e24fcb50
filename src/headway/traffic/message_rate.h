// SPDX-License-Identifier: Apache-2.0
// How often a source generates messages, as constant pieces over time, and when a given number of them is
// due.
//
// Every arrival process is a question to this clock: "when has the source, from now on, been due q messages?"
// With q exponential it is a Poisson process, with q = 1 a periodic one. What is left of q at the end of a
// piece carries over into the next (time rescaling), so one random draw per message is enough whatever the
// load does.
#pragma once

#include <cstdint>
#include <vector>

#include "headway/traffic/instant.h"

namespace headway {

class MessageRate {
 public:
  // From `from` on the rate is `messages_per_tick` (0: silent). Pieces are added in order of time.
  void add(Instant from, double messages_per_tick);

  // The earliest instant by which, since `from`, `messages` are due (in units of 2^-32); kNever if they never
  // are. Never in a silent piece.
  Instant after(Instant from, std::uint64_t messages) const;

 private:
  static constexpr int kGapBits = 24;
  struct Piece {
    Instant from;
    std::uint64_t gap;  // mean time from message to message, ticks * 2^kGapBits; 0: silent
  };
  std::vector<Piece> pieces_;
};

}  // namespace headway
