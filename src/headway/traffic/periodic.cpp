// SPDX-License-Identifier: Apache-2.0
// Periodic arrivals: a constant gap, and a random phase per source so that sources are not synchronised. When
// the load changes, the generated part of the next message is kept. Source: Gilabert et al., "On the
// influence of the selection function on the performance of fat-trees", Euro-Par 2006, section 5.1 (constant
// generation rate, equal at all nodes). Choice: the phase is uniform over one gap.
#include "headway/traffic/arrivals.h"
#include "headway/traffic/message_rate.h"

namespace headway {
namespace {

constexpr std::uint64_t kOneMessage = 1ULL << 32;  // in the units of MessageRate::after

class PeriodicProcess final : public ArrivalProcess {
 public:
  explicit PeriodicProcess(const ArrivalContext& context) {
    for (const auto& piece : context.profile.pieces)
      rate_.add(piece.from, piece.load / context.message_ticks);
  }
  Instant first(Rng& rng) const override { return rate_.after(0, rng.next() >> 32); }
  Instant next(Instant previous, Rng&) const override { return rate_.after(previous, kOneMessage); }

 private:
  MessageRate rate_;
};

}  // namespace

Entry<Arrivals> periodic() {
  return {"periodic", "constant time between messages, with a random phase per source",
          "Gilabert et al. (selection functions), Euro-Par 2006, section 5.1",
          make_entry<Arrivals, ArrivalsOf<PeriodicProcess>>};
}

}  // namespace headway
