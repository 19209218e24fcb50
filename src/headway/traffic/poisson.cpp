// SPDX-License-Identifier: Apache-2.0
// Poisson arrivals: exponential gaps, so the number of messages in any interval is independent of the past.
// With a changing load, the expected number of messages between two arrivals is exponentially distributed
// (time rescaling). Source: Kleinrock, "Queueing systems I", 1975, section 2.5. Choice: OBQA does not state
// its arrival process (section 4.1).
#include "headway/traffic/arrivals.h"
#include "headway/traffic/message_rate.h"

namespace headway {
namespace {

class PoissonProcess final : public ArrivalProcess {
 public:
  explicit PoissonProcess(const ArrivalContext& context) {
    for (const auto& piece : context.profile.pieces)
      rate_.add(piece.from, piece.load / context.message_ticks);
  }
  Instant first(Rng& rng) const override { return next(0, rng); }
  Instant next(Instant previous, Rng& rng) const override {
    return rate_.after(previous, rng.exponential_q32());
  }

 private:
  MessageRate rate_;
};

}  // namespace

Entry<Arrivals> poisson() {
  return {"poisson", "exponentially distributed times between messages", "Kleinrock 1975, section 2.5",
          make_entry<Arrivals, ArrivalsOf<PoissonProcess>>};
}

}  // namespace headway
