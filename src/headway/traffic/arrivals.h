// SPDX-License-Identifier: Apache-2.0
// The arrival-process family: when a source generates its next message. One virtual call per message.
//
// Time is fixed point (kInstantBits fraction bits of a tick), so a mean gap that is no whole number of ticks is kept
// without rounding bias; the message is generated at the tick the instant falls in.
#pragma once

#include <cstdint>
#include <vector>

#include "headway/base/ids.h"
#include "headway/base/parameters.h"
#include "headway/base/registry.h"
#include "headway/base/rng.h"

namespace headway {

inline constexpr int kInstantBits = 20;
using Instant = std::int64_t;  // ticks * 2^kInstantBits
inline constexpr Instant kNever = INT64_MAX;
constexpr Tick tick_of(Instant instant) { return instant >> kInstantBits; }
constexpr Instant instant_of(Tick tick) { return tick << kInstantBits; }

// Load over time as constant pieces, compiled from a flow's load, start and stop.
struct LoadProfile {
  struct Piece {
    Instant from;   // the piece lasts until the next one's `from`
    double load;    // fraction of the link rate; 0 = silent
  };
  std::vector<Piece> pieces;  // ascending in `from`; before the first and after the last entry's piece: as written
};

// What a source's process is bound to: one message takes `message_ticks` on the node's link.
struct ArrivalContext {
  const LoadProfile* profile = nullptr;
  std::int64_t message_ticks = 1;
};

class ArrivalProcess {
 public:
  virtual ~ArrivalProcess() = default;
  // The first instant of a source, and the next one strictly by the process after `previous`; kNever when over.
  virtual Instant first(Rng& rng) const = 0;
  virtual Instant next(Instant previous, Rng& rng) const = 0;
};

class Arrivals {
 public:
  virtual ~Arrivals() = default;
  virtual void describe(Parameters& parameters) = 0;
  // The process, or null for sources that are always backlogged (`backlog` messages kept waiting).
  virtual std::unique_ptr<ArrivalProcess> build(const ArrivalContext& context) const = 0;
  virtual std::uint32_t backlog() const { return 0; }
  // The highest load that makes sense; above it `check` refuses.
  virtual double max_load() const { return 1.0; }
};

Registry<Arrivals> arrival_processes();

}  // namespace headway
