// SPDX-License-Identifier: Apache-2.0
#include "headway/congestion/dcqcn.h"

#include <algorithm>
#include <utility>

#include "headway/congestion/reaction.h"
#include "headway/congestion/reactions.h"

namespace headway {
namespace {

template <DcqcnForm kForm>
class DcqcnKeys final : public ReactionOf<DcqcnOf<kForm>> {
  static constexpr bool kIsNic = kForm == DcqcnForm::adapter;

 public:
  void describe(Parameters& parameters) override {
    constexpr Bounds kTime = Bounds::over(0, 4e15);
    parameters.field({.name = "alpha_gain",
                      .help = "g: part by which alpha, the estimate of congestion, approaches 1 or 0",
                      .bounds = Bounds::over(0, 1)},
                     gain_);
    parameters.field({.name = "notification_interval",
                      .help = "a destination notifies the source of a flow at most once in this time",
                      .bounds = Bounds::from(0, 4e15)},
                     interval_);
    parameters.field({.name = "alpha_timer", .help = "time between two updates of alpha", .bounds = kTime},
                     alpha_timer_);
    parameters.field(
        {.name = "rate_timer", .help = "time between two increases of the rate", .bounds = kTime},
        rate_timer_);
    if (kIsNic)
      parameters.field({.name = "cut_interval", .help = "time between two cuts of the rate", .bounds = kTime},
                       cut_interval_);
    else
      parameters.field({.name = "byte_counter",
                        .help = "the rate also increases whenever this much has been sent",
                        .bounds = Bounds::from(1, 1e15)},
                       byte_counter_);
    parameters.field({.name = "fast_recovery",
                      .help = "F: increases after a cut that only halve the distance to the target rate",
                      .bounds = Bounds::from(0, 1000)},
                     fast_recovery_);
    parameters.field({.name = "additive_increase",
                      .help = "growth of the target rate after that, as a fraction of the link rate",
                      .bounds = Bounds::from(0, 1)},
                     additive_);
    parameters.field(
        {.name = "hyper_increase",
         .help = kIsNic ? "growth of the target rate in all later steps, likewise"
                        : "growth of the target rate, times the steps above F, when both timer and "
                          "byte counter are above F",
         .bounds = Bounds::from(0, 1)},
        hyper_);
    parameters.field({.name = "least_rate",
                      .help = "the rate is at least this fraction of the link rate",
                      .bounds = Bounds::from(0.000001, 1)},
                     least_);
  }

  std::optional<ReactionRules> build(const ReactionContext& context) const override {
    const auto ticks = [&](const Duration& time) { return context.ticks(time); };
    return ReactionRules{
        .own = DcqcnOf<kForm>{.gain = fraction(gain_),
                              .alpha_timer = ticks(alpha_timer_),
                              .rate_timer = ticks(rate_timer_),
                              .cut_interval = kIsNic ? ticks(cut_interval_) : 1,
                              .byte_counter = static_cast<std::uint64_t>(byte_counter_.count),
                              .fast_recovery = static_cast<std::uint32_t>(fast_recovery_),
                              .additive = fraction(additive_),
                              .hyper = fraction(hyper_),
                              .least_rate = std::max<std::uint64_t>(fraction(least_), 1)},
        .notification_interval = ticks(interval_)};
  }

 private:
  // of the paper at 40 Gbit/s, and of adapters at 100 Gbit/s
  double gain_ = kIsNic ? 5.0 / 1024 : 1.0 / 256;
  Duration interval_{kIsNic ? 0 : 50'000};
  Duration alpha_timer_{kIsNic ? 1'000 : 55'000};
  Duration rate_timer_{kIsNic ? 300'000 : 55'000};
  Duration cut_interval_{4'000};
  Bytes byte_counter_{10'000'000};
  std::int64_t fast_recovery_ = kIsNic ? 1 : 5;
  double additive_ = kIsNic ? 0.00005 : 0.001;
  double hyper_ = kIsNic ? 0.0005 : 0.005;
  double least_ = kIsNic ? 0.00001 : 0.001;
};

}  // namespace

template <DcqcnForm kForm>
void DcqcnOf<kForm>::cut(State& own, const FlowClock& clock) const {
  // the adapter's form keeps the target until the rate has been raised once
  if (kForm == DcqcnForm::paper || own.by_time > 0) own.target = own.rate;
  own.rate = std::max(least_rate, own.rate - part_of(own.rate, own.alpha / 2));
  own.by_time = own.by_bytes = 0;
  own.bytes = 0;
  clock.set(kRate, rate_timer);
}

template <DcqcnForm kForm>
GateChange DcqcnOf<kForm>::raise(State& own) const {
  constexpr std::uint64_t kNearlyFull = kFullRate - kFullRate / 10'000;
  const std::uint32_t most = std::max(own.by_time, own.by_bytes), least = std::min(own.by_time, own.by_bytes);
  if (kForm == DcqcnForm::paper) {
    if (least > fast_recovery)
      own.target += hyper * (least - fast_recovery);
    else if (most >= fast_recovery)
      own.target += additive;
  } else if (own.by_time > fast_recovery) {
    own.target += own.by_time > fast_recovery + 1 ? hyper : additive;
  }
  own.target = std::min(own.target, kFullRate);
  own.rate = (own.rate + own.target) / 2;
  return own.target == kFullRate && own.rate >= kNearlyFull ? GateChange::removed : GateChange::moved;
}

template <DcqcnForm kForm>
GateChange DcqcnOf<kForm>::on_notification(State& own, const Notification&, bool is_new,
                                           const FlowClock& clock) const {
  if (kForm == DcqcnForm::paper) {
    cut(own, clock);
    own.alpha += part_of(kFullRate - own.alpha, gain);
  } else if (is_new) {
    cut(own, clock);
    clock.set(kCut, cut_interval);
  } else {
    own.told_alpha = own.told_cut = true;
    return GateChange::none;
  }
  clock.set(kAlpha, alpha_timer);
  return GateChange::moved;
}

template <DcqcnForm kForm>
GateChange DcqcnOf<kForm>::on_timer(State& own, FlowEvent timer, const FlowClock& clock) const {
  switch (timer) {
    case kAlpha:
      own.alpha -= part_of(own.alpha, gain);
      if (std::exchange(own.told_alpha, false)) own.alpha += gain;
      clock.set(kAlpha, alpha_timer);
      return GateChange::none;
    case kRate:
      ++own.by_time;
      clock.set(kRate, rate_timer);
      return raise(own);
    default:  // kCut
      clock.set(kCut, cut_interval);
      if (!std::exchange(own.told_cut, false)) return GateChange::none;
      cut(own, clock);
      return GateChange::moved;
  }
}

// Only the paper's form raises the rate by bytes, too.
template <DcqcnForm kForm>
GateChange DcqcnOf<kForm>::on_admission(State& own, std::uint32_t bytes, const FlowClock&) const {
  GateChange change = GateChange::none;
  if (kForm == DcqcnForm::adapter) return change;
  for (own.bytes += bytes; change != GateChange::removed && own.bytes >= byte_counter;) {
    own.bytes -= byte_counter;
    ++own.by_bytes;
    change = raise(own);
  }
  return change;
}

template <DcqcnForm kForm>
Entry<Reaction> DcqcnOf<kForm>::entry() {
  if constexpr (kForm == DcqcnForm::paper)
    return {"dcqcn", "rates that notifications cut and that timers and bytes raise (the paper's form)",
            "Zhu et al. (DCQCN), SIGCOMM 2015, section 5", make_entry<Reaction, DcqcnKeys<kForm>>};
  else
    return {"dcqcn-nic",
            "DCQCN in the form of adapters: alpha by its own timer, a cut in an interval, raised by time",
            "NVIDIA DOCA, DCQCN CC parameters; Li et al. (HPCC), SIGCOMM 2019, simulator",
            make_entry<Reaction, DcqcnKeys<kForm>>};
}

template struct DcqcnOf<DcqcnForm::paper>;
template struct DcqcnOf<DcqcnForm::adapter>;

}  // namespace headway
