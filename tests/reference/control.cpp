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

void NaiveControl::deliver(const Flow& flow, bool marked, std::uint64_t bytes, Tick travel, Tick now) {
  const bool of_all = is<Timely>() || is<CongestionWindow>();
  if (!marked && !of_all) return;
  if (const auto told = told_.find(flow);
      told != told_.end() && now - told->second < rules_.notification_interval)
    return;
  told_[flow] = now;
  if (rules_.notification_bytes > 0) {
    sent_.push_back({flow, now - travel, bytes});
    return;
  }
  const Tick then = now + rules_.notification_delay;
  notices_.insert({then, {flow, bytes, travel + rules_.notification_delay}});
}

std::int64_t NaiveControl::gap(const State& state) const {
  if (is<InfiniBandReaction>()) {
    const Tick pause = (state.transfer >> infiniband().shift) * infiniband().multipliers[state.index];
    return (state.transfer + pause) * kTick;
  }
  return static_cast<std::int64_t>(Wide{static_cast<std::uint64_t>(state.transfer * kTick)} * kOne /
                                   state.rate);
}

bool NaiveControl::is_closed(const Flow& flow, std::uint64_t bytes, Tick now) const {
  const auto found = states_.find(flow);
  if (is<CongestionWindow>())
    return found != states_.end() &&
           found->second.in_flight + bytes > std::get<CongestionWindow>(rules_.own).bytes;
  return found != states_.end() && now * kTick < found->second.base + gap(found->second);
}

void NaiveControl::admit(const Flow& flow, std::uint64_t bytes, Tick transfer, Tick now) {
  if (is<CongestionWindow>()) {
    states_[flow].in_flight += bytes;
    return;
  }
  const auto found = states_.find(flow);
  if (found == states_.end()) return;
  State& state = found->second;
  state.base = std::max(now * kTick, state.base + gap(state));
  state.transfer = transfer;
  if (!is<Dcqcn>()) return;
  state.bytes += bytes;
  while (state.bytes >= dcqcn().byte_counter && !is_done(state)) {
    state.bytes -= dcqcn().byte_counter;
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
  std::erase_if(states_, [&](const auto& entry) { return is_done(entry.second); });
}

void NaiveControl::run_timers(State& state, Tick now) {
  if (state.alpha_at == now) {
    state.alpha -= times(state.alpha, dcqcn().gain);
    if (state.told_alpha) state.alpha += dcqcn().gain;
    state.told_alpha = false;
    state.alpha_at = now + dcqcn().alpha_timer;
  }
  if (state.rate_at == now) {
    state.rate_at = now + dcqcn().rate_timer;
    ++state.by_time;
    raise(state);
    if (is_done(state)) return;
  }
  if (state.cut_at == now) {
    state.cut_at = now + dcqcn().cut_interval;
    if (state.told_cut) cut(state, now);
    state.told_cut = false;
  }
  if (state.recovery_at == now) {
    if (state.index > infiniband().least_index) --state.index;
    state.recovery_at.reset();
    if (state.index > infiniband().least_index) state.recovery_at = now + infiniband().recovery_timer;
  }
}

// Does the source send at full rate again?
bool NaiveControl::is_done(const State& state) const {
  if (is<InfiniBandReaction>()) return state.index == 0;
  if (is<CongestionWindow>()) return state.in_flight == 0;
  if (is<Timely>()) return state.free;
  const bool was_raised = state.by_time + state.by_bytes > 0;
  return was_raised && state.target == kOne && state.rate >= kOne - kOne / 10'000;
}

void NaiveControl::notify(const Notice& notice, Tick now) {
  ++notifications_;
  const bool is_new = !states_.contains(notice.flow);
  State& state = states_[notice.flow];
  if (is<Timely>()) {
    measure_trip(state, is_new, notice, now);
  } else if (is<CongestionWindow>()) {
    state.in_flight -= notice.bytes;
  } else if (is<InfiniBandReaction>()) {
    state.index = std::min(state.index + infiniband().increase, infiniband().most_index);
    if (!state.recovery_at) state.recovery_at = now + infiniband().recovery_timer;
  } else if (is<Dcqcn>()) {
    cut(state, now);
    state.alpha += times(kOne - state.alpha, dcqcn().gain);
    state.alpha_at = now + dcqcn().alpha_timer;
  } else if (is_new) {
    cut(state, now);
    state.alpha_at = now + dcqcn().alpha_timer;
    state.cut_at = now + dcqcn().cut_interval;
  } else {
    state.told_alpha = state.told_cut = true;
  }
}

void NaiveControl::measure_trip(State& state, bool is_new, const Notice& notice, Tick now) const {
  state.delivered += notice.bytes;
  if (!is_new) {
    if (state.delivered < timely().segment || now < state.updated + timely().least_round_trip) return;
    const SignedWide step = SignedWide{notice.trip - state.last_trip} * kTick - state.change;
    state.change += static_cast<std::int64_t>(step * timely().round_trip_gain >> 32);
  }
  state.delivered = 0;
  state.updated = now;
  state.last_trip = notice.trip;
  state.rate = std::min(std::max(rate_after(state), timely().least_rate), kOne);
  state.free = state.rate == kOne && notice.trip < timely().low_round_trip;
}

std::uint64_t NaiveControl::rate_after(const State& state) const {
  const auto trip = static_cast<std::uint64_t>(state.last_trip),
             low = static_cast<std::uint64_t>(timely().low_round_trip),
             high = static_cast<std::uint64_t>(timely().high_round_trip);
  if (trip < low) return state.rate + timely().additive;
  if (trip > high) {
    const auto too_much = kOne - static_cast<std::uint64_t>(Wide{high} * kOne / trip);
    return state.rate - times(state.rate, times(timely().decrease, too_much));
  }
  // 2 g + 1/2, with g the change over the least round trip
  const SignedWide weighed =
      SignedWide{state.change} * 2 * (SignedWide{kOne} / kTick) / timely().least_round_trip + kOne / 2;
  const auto weight =
      static_cast<std::uint64_t>(std::min(std::max(weighed, SignedWide{0}), SignedWide{kOne}));
  const Wide excess = Wide{trip - low} * kOne / low;
  const auto fall = static_cast<std::uint64_t>(std::min(excess * timely().decrease / kOne, Wide{kOne}));
  return state.rate - times(state.rate, times(fall, weight)) + times(timely().additive, kOne - weight);
}

void NaiveControl::cut(State& state, Tick now) {
  if (is<Dcqcn>() || state.by_time > 0) state.target = state.rate;
  state.rate = std::max(state.rate - times(state.rate, state.alpha >> 1), dcqcn().least_rate);
  state.by_time = state.by_bytes = 0;
  state.bytes = 0;
  state.rate_at = now + dcqcn().rate_timer;
}

void NaiveControl::raise(State& state) const {
  const std::uint32_t f = dcqcn().fast_recovery;
  if (is<DcqcnNic>()) {
    if (state.by_time == f + 1) state.target += dcqcn().additive;
    if (state.by_time > f + 1) state.target += dcqcn().hyper;
  } else if (state.by_time > f && state.by_bytes > f) {
    state.target += dcqcn().hyper * (std::min(state.by_time, state.by_bytes) - f);
  } else if (state.by_time >= f || state.by_bytes >= f) {
    state.target += dcqcn().additive;
  }
  state.target = std::min(state.target, kOne);
  state.rate = (state.rate + state.target) / 2;
}

}  // namespace headway::reference
