// SPDX-License-Identifier: Apache-2.0
// Bernoulli arrivals: time is divided into slots of one message's length, and each slot starts a message with
// a probability equal to the load. Drawn by inversion: a slot of probability p corresponds to an exponential
// clock with rate -ln(1 - p) per slot that expires within the slot, so a message needs one draw at any load.
// Source: Karol, Hluchyj, Morgan, "Input versus output queueing on a space-division packet switch", 1987,
// section II.
#include <cmath>

#include "headway/base/rng.h"
#include "headway/traffic/arrivals.h"
#include "headway/traffic/message_rate.h"

namespace headway {
namespace {

// A rate that expires in every slot: exponential draws are below 64 ln 2 (Rng::exponential_q32).
constexpr double kCertain = 64;

// -ln(1 - p) with basic arithmetic only, so that all machines compute the same bits.
double clock_rate(double p) {
  if (p >= 1) return kCertain;
  if (p > 0.5)
    return static_cast<double>(minus_log_q32(static_cast<std::uint64_t>((1 - p) * 0x1p64))) * 0x1p-32;
  double sum = 0;
  double power = p;
  for (int k = 1; sum + power / k > sum; ++k, power *= p) sum += power / k;
  return sum;
}

class BernoulliProcess final : public ArrivalProcess {
 public:
  // Choice: all sources share one grid of slots that begins at tick 0, as in a slotted switch; a change of
  // load takes effect at the next slot.
  explicit BernoulliProcess(const ArrivalContext& context)
      : slot_(std::llround(std::ldexp(context.message_ticks, kInstantBits))) {
    for (const auto& piece : context.profile.pieces)
      rate_.add(slot_at_or_after(piece.from), clock_rate(piece.load) / context.message_ticks);
  }
  Instant first(Rng& rng) const override { return from_slot(0, rng); }
  Instant next(Instant previous, Rng& rng) const override {
    return previous > kNever - slot_ ? kNever : from_slot(previous + slot_, rng);
  }

 private:
  Instant slot_at_or_after(Instant instant) const {
    const Instant rest = instant % slot_;
    return rest == 0 ? instant : instant > kNever - slot_ ? kNever : instant - rest + slot_;
  }
  Instant from_slot(Instant begin, Rng& rng) const {
    const Instant rings = rate_.after(begin, rng.exponential_q32());
    return rings == kNever ? kNever : rings / slot_ * slot_;
  }

  Instant slot_;
  MessageRate rate_;
};

}  // namespace

Entry<Arrivals> bernoulli() {
  return {"bernoulli",
          "each slot of one message's length starts a message with a probability equal to the load",
          "Karol et al. 1987, section II", make_entry<Arrivals, ArrivalsOf<BernoulliProcess>>};
}

}  // namespace headway
