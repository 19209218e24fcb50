// SPDX-License-Identifier: Apache-2.0
// The reaction family: how the source of a flow slows down because of congestion.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>

#include "headway/base/error.h"
#include "headway/base/ids.h"
#include "headway/base/units.h"
#include "headway/config/parameters.h"
#include "headway/config/registry.h"

namespace headway {

struct ReactionRules;

struct ReactionContext {
  Duration tick{1};
  Tick packet_ticks = 1;         // a full packet on a node's link
  std::uint32_t mark_every = 1;  // MarkingRules::every
  // What a node's link sends from the admission of a packet to its notification, over the longest path; in
  // whole full packets.
  std::int64_t bytes_of_round_trip = 1;

  // The tick divides the times of all parameters.
  Tick ticks(const Duration& time) const { return (time.ns / tick.ns).numerator(); }
};

// A fraction times 2^32, as reactions have rates and gains.
inline std::uint64_t fraction(double value) {
  return static_cast<std::uint64_t>(std::llround(value * 0x1p32));
}

// What is known of a reaction without its parameters.
struct ReactionTraits {
  bool needs_marks = true;  // otherwise, sources are notified of every packet
  bool has_rates = true;    // otherwise, flows have a window
};

class Reaction {
 public:
  virtual ~Reaction() = default;
  virtual void describe(Parameters&) {}
  virtual void check(Mistakes&) const {}
  // None: sources do not react.
  virtual std::optional<ReactionTraits> traits() const { return std::nullopt; }
  // The rules of sources that react in this way; none: they do not. It does not set notification_delay.
  virtual std::optional<ReactionRules> build(const ReactionContext&) const;
};

// The parameters of a reaction in specs.
template <class Rules>
class ReactionOf : public Reaction {
 public:
  std::optional<ReactionTraits> traits() const override {
    return ReactionTraits{.needs_marks = Rules::kNeedsMarks, .has_rates = Rules::kHasRates};
  }
};

Registry<Reaction> reactions();

}  // namespace headway
