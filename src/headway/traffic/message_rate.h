// SPDX-License-Identifier: Apache-2.0
// The rate of message generation of a source, constant in pieces over time, and the time at which a given
// number of messages is due.
//
// Every arrival process uses this clock to find the time at which q further messages are due. With an
// exponential q this is a Poisson process, with q = 1 a periodic process. The rest of q at the end of a piece
// carries over to the next piece (time rescaling), so one random draw per message is enough for any load.
#pragma once

#include <cstdint>
#include <vector>

#include "headway/traffic/instant.h"

namespace headway {

class MessageRate {
 public:
  // From `from` on the rate is `messages_per_tick` (0: silent). Pieces are added in order of time.
  void add(Instant from, double messages_per_tick);

  // The earliest instant at which `messages` (in units of 2^-32) are due since `from`; kNever if this never
  // happens. Never in a piece with rate 0.
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
