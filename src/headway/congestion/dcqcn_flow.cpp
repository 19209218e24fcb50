// SPDX-License-Identifier: Apache-2.0
// DCQCN of one flow, in the paper's form and in that of adapters; dcqcn.cpp has the parameters.
#include <algorithm>
#include <utility>

#include "headway/congestion/limited_flow.h"

namespace headway {
namespace {

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

// Of the paper's form only, which raises the rate by bytes, too.
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

}  // namespace headway
