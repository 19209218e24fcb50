// SPDX-License-Identifier: Apache-2.0
#include "tests/reference/control.h"

#include <algorithm>

#include "headway/base/wide.h"

namespace headway::reference {
namespace {

constexpr std::uint64_t kOne = 1ULL << 32;  // a rate, a gain, alpha
constexpr std::int64_t kTick = 1 << 20;

std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint64_t>(Wide{a} * b >> 32);
}

}  // namespace

void NaiveControl::deliver_marked(const Flow& flow, Tick now) {
  if (const auto told = told_.find(flow);
      told != told_.end() && now - told->second < rules_.notification_interval)
    return;
  told_[flow] = now;
  notices_.insert({now + rules_.notification_delay, flow});
}

std::int64_t NaiveControl::gap(const State& state) const {
  if (rules_.kind == ReactionKind::infiniband) {
    const Tick pause = (state.transfer >> rules_.shift) * rules_.multipliers[state.index];
    return (state.transfer + pause) * kTick;
  }
  return static_cast<std::int64_t>(Wide{static_cast<std::uint64_t>(state.transfer * kTick)} * kOne /
                                   state.rate);
}

bool NaiveControl::is_closed(const Flow& flow, Tick now) const {
  const auto found = states_.find(flow);
  return found != states_.end() && now * kTick < found->second.base + gap(found->second);
}

void NaiveControl::admit(const Flow& flow, std::uint64_t bytes, Tick transfer, Tick now) {
  const auto found = states_.find(flow);
  if (found == states_.end()) return;
  State& state = found->second;
  state.base = std::max(now * kTick, state.base + gap(state));
  state.transfer = transfer;
  if (rules_.kind != ReactionKind::dcqcn) return;
  state.bytes += bytes;
  while (state.bytes >= rules_.byte_counter && !is_done(state)) {
    state.bytes -= rules_.byte_counter;
    ++state.by_bytes;
    raise(state);
    if (is_done(state)) {
      states_.erase(found);
      return;
    }
  }
}

void NaiveControl::act(Tick now) {
  for (auto& [flow, state] : states_) run_timers(state, now);
  std::erase_if(states_, [&](const auto& entry) { return is_done(entry.second); });
  const auto [first, last] = notices_.equal_range(now);
  for (auto notice = first; notice != last; ++notice) notify(notice->second, now);
  notices_.erase(first, last);
}

void NaiveControl::run_timers(State& state, Tick now) {
  if (state.alpha_at == now) {
    state.alpha -= times(state.alpha, rules_.gain);
    if (state.told_alpha) state.alpha += rules_.gain;
    state.told_alpha = false;
    state.alpha_at = now + rules_.alpha_timer;
  }
  if (state.rate_at == now) {
    state.rate_at = now + rules_.rate_timer;
    ++state.by_time;
    raise(state);
    if (is_done(state)) return;
  }
  if (state.cut_at == now) {
    state.cut_at = now + rules_.cut_interval;
    if (state.told_cut) cut(state, now);
    state.told_cut = false;
  }
  if (state.recovery_at == now) {
    if (state.index > rules_.least_index) --state.index;
    state.recovery_at.reset();
    if (state.index > rules_.least_index) state.recovery_at = now + rules_.recovery_timer;
  }
}

// Does the source send at full rate again?
bool NaiveControl::is_done(const State& state) const {
  if (rules_.kind == ReactionKind::infiniband) return state.index == 0;
  const bool was_raised = state.by_time + state.by_bytes > 0;
  return was_raised && state.target == kOne && state.rate >= kOne - kOne / 10'000;
}

void NaiveControl::notify(const Flow& flow, Tick now) {
  ++notifications_;
  const bool is_new = !states_.contains(flow);
  State& state = states_[flow];
  if (rules_.kind == ReactionKind::infiniband) {
    state.index = std::min(state.index + rules_.increase, rules_.most_index);
    if (!state.recovery_at) state.recovery_at = now + rules_.recovery_timer;
  } else if (rules_.kind == ReactionKind::dcqcn) {
    cut(state, now);
    state.alpha += times(kOne - state.alpha, rules_.gain);
    state.alpha_at = now + rules_.alpha_timer;
  } else if (is_new) {
    cut(state, now);
    state.alpha_at = now + rules_.alpha_timer;
    state.cut_at = now + rules_.cut_interval;
  } else {
    state.told_alpha = state.told_cut = true;
  }
}

void NaiveControl::cut(State& state, Tick now) {
  if (rules_.kind == ReactionKind::dcqcn || state.by_time > 0) state.target = state.rate;
  state.rate = std::max(state.rate - times(state.rate, state.alpha >> 1), rules_.least_rate);
  state.by_time = state.by_bytes = 0;
  state.bytes = 0;
  state.rate_at = now + rules_.rate_timer;
}

void NaiveControl::raise(State& state) const {
  const std::uint32_t f = rules_.fast_recovery;
  if (rules_.kind == ReactionKind::dcqcn_nic) {
    if (state.by_time == f + 1) state.target += rules_.additive;
    if (state.by_time > f + 1) state.target += rules_.hyper;
  } else if (state.by_time > f && state.by_bytes > f) {
    state.target += rules_.hyper * (std::min(state.by_time, state.by_bytes) - f);
  } else if (state.by_time >= f || state.by_bytes >= f) {
    state.target += rules_.additive;
  }
  state.target = std::min(state.target, kOne);
  state.rate = (state.rate + state.target) / 2;
}

}  // namespace headway::reference
