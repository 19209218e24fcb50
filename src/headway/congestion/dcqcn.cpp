// SPDX-License-Identifier: Apache-2.0
// DCQCN: rates that are cut by notifications and recover by timers and a byte counter. Zhu et al.,
// "Congestion control for large-scale RDMA deployments", SIGCOMM 2015, section 5 (the paper's form, with its
// parameters at 40 Gbit/s as fractions of the link rate). The form of adapters: NVIDIA DOCA, "DCQCN CC
// parameters"; as in the simulator of HPCC (Li et al., SIGCOMM 2019), which calls it Mellanox's version.
#include <algorithm>
#include <utility>

#include "headway/congestion/limited_flow.h"
#include "headway/congestion/reaction.h"

namespace headway {
namespace {

template <ReactionKind kKind>
class Dcqcn final : public Reaction {
  static constexpr bool kIsNic = kKind == ReactionKind::dcqcn_nic;

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
    return ReactionRules{.kind = kKind,
                         .notification_interval = ticks(interval_),
                         .gain = fraction(gain_),
                         .alpha_timer = ticks(alpha_timer_),
                         .rate_timer = ticks(rate_timer_),
                         .cut_interval = kIsNic ? ticks(cut_interval_) : 1,
                         .byte_counter = static_cast<std::uint64_t>(byte_counter_.count),
                         .fast_recovery = static_cast<std::uint32_t>(fast_recovery_),
                         .additive = fraction(additive_),
                         .hyper = fraction(hyper_),
                         .least_rate = std::max<std::uint64_t>(fraction(least_), 1)};
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

bool is_paper(const ReactionAt& at) { return at.rules.kind == ReactionKind::dcqcn; }

GateChange cut(LimitedFlow& flow, const ReactionAt& at) {
  auto& own = flow.dcqcn;
  // the adapter's form keeps the target until the rate has been raised once
  if (is_paper(at) || own.by_time > 0) own.target = flow.rate;
  flow.rate = std::max(at.rules.least_rate, flow.rate - part_of(flow.rate, own.alpha / 2));
  own.by_time = own.by_bytes = 0;
  own.bytes = 0;
  at.events.set(flow, FlowEvent::rate, at.now + at.rules.rate_timer);
  return GateChange::moved;
}

GateChange raise(LimitedFlow& flow, const ReactionAt& at) {
  constexpr std::uint64_t kNearlyFull = kFullRate - kFullRate / 10'000;
  auto& own = flow.dcqcn;
  const ReactionRules& rules = at.rules;
  const std::uint32_t most = std::max(own.by_time, own.by_bytes), least = std::min(own.by_time, own.by_bytes);
  if (is_paper(at)) {
    if (least > rules.fast_recovery)
      own.target += rules.hyper * (least - rules.fast_recovery);
    else if (most >= rules.fast_recovery)
      own.target += rules.additive;
  } else if (own.by_time > rules.fast_recovery) {
    own.target += own.by_time > rules.fast_recovery + 1 ? rules.hyper : rules.additive;
  }
  own.target = std::min(own.target, kFullRate);
  flow.rate = (flow.rate + own.target) / 2;
  return own.target == kFullRate && flow.rate >= kNearlyFull ? GateChange::removed : GateChange::moved;
}

}  // namespace

GateChange dcqcn_notification(LimitedFlow& flow, bool is_new, const ReactionAt& at) {
  auto& own = flow.dcqcn;
  if (is_paper(at)) {
    cut(flow, at);
    own.alpha += part_of(kFullRate - own.alpha, at.rules.gain);
  } else if (is_new) {
    cut(flow, at);
    at.events.set(flow, FlowEvent::cut, at.now + at.rules.cut_interval);
  } else {
    own.told_alpha = own.told_cut = true;
    return GateChange::none;
  }
  at.events.set(flow, FlowEvent::alpha, at.now + at.rules.alpha_timer);
  return GateChange::moved;
}

GateChange dcqcn_timer(LimitedFlow& flow, FlowEvent timer, const ReactionAt& at) {
  auto& own = flow.dcqcn;
  switch (timer) {
    case FlowEvent::alpha:
      own.alpha -= part_of(own.alpha, at.rules.gain);
      if (std::exchange(own.told_alpha, false)) own.alpha += at.rules.gain;
      at.events.set(flow, FlowEvent::alpha, at.now + at.rules.alpha_timer);
      return GateChange::none;
    case FlowEvent::rate:
      ++own.by_time;
      at.events.set(flow, FlowEvent::rate, at.now + at.rules.rate_timer);
      return raise(flow, at);
    default:  // FlowEvent::cut
      at.events.set(flow, FlowEvent::cut, at.now + at.rules.cut_interval);
      return std::exchange(own.told_cut, false) ? cut(flow, at) : GateChange::none;
  }
}

// The admissions of the paper's form only, which raises the rate by bytes, too.
GateChange dcqcn_admission(LimitedFlow& flow, std::uint32_t bytes, const ReactionAt& at) {
  auto& own = flow.dcqcn;
  GateChange change = GateChange::none;
  for (own.bytes += bytes; change != GateChange::removed && own.bytes >= at.rules.byte_counter;) {
    own.bytes -= at.rules.byte_counter;
    ++own.by_bytes;
    change = raise(flow, at);
  }
  return change;
}

Entry<Reaction> dcqcn_reaction() {
  return {"dcqcn", "rates that notifications cut and that timers and bytes raise (the paper's form)",
          "Zhu et al. (DCQCN), SIGCOMM 2015, section 5", make_entry<Reaction, Dcqcn<ReactionKind::dcqcn>>};
}

Entry<Reaction> dcqcn_nic_reaction() {
  return {"dcqcn-nic",
          "DCQCN in the form of adapters: alpha by its own timer, a cut in an interval, raised by time",
          "NVIDIA DOCA, DCQCN CC parameters; Li et al. (HPCC), SIGCOMM 2019, simulator",
          make_entry<Reaction, Dcqcn<ReactionKind::dcqcn_nic>>};
}

}  // namespace headway
