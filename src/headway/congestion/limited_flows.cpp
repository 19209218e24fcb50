// SPDX-License-Identifier: Apache-2.0
#include "headway/congestion/limited_flows.h"

#include <algorithm>
#include <utility>

#include "headway/base/wide.h"

namespace headway {
namespace {

// A part of a number, as a fraction times 2^32.
std::uint64_t part_of(std::uint64_t whole, std::uint64_t part) {
  return static_cast<std::uint64_t>(Wide{whole} * part >> 32);
}

}  // namespace

void LimitedFlows::deliver_marked(FlowKey flow, Tick now) {
  std::uint32_t& place = told_at_.at(flow, kNone);
  if (place == kNone) {
    place = static_cast<std::uint32_t>(told_.size());
    told_.push_back(now);
  } else if (now < told_[place] + rules_.notification_interval) {
    return;
  }
  told_[place] = now;
  due_.push({now + rules_.notification_delay, EventOf::notification, flow});
}

// A packet is admitted at the rate of the present moment, so a change of rate moves the gate of packets that
// wait already.
Instant LimitedFlows::gap(const State& state) const {
  const Instant full = instant_of(state.transfer);
  if (rules_.kind == ReactionKind::infiniband)
    return full + instant_of((state.transfer >> rules_.shift) * rules_.multipliers[state.index]);
  return static_cast<Instant>((Wide{static_cast<std::uint64_t>(full)} << 32) / state.rate);
}

Tick LimitedFlows::tick_that_opens(const State& state) const {
  return tick_of(state.base + gap(state) + instant_of(1) - 1);
}

double LimitedFlows::rate(FlowKey flow, Tick transfer) const {
  const State* const found = find(flow);
  if (found == nullptr) return 1;
  if (rules_.kind != ReactionKind::infiniband)
    return static_cast<double>(found->rate) / static_cast<double>(kFullRate);
  const auto time = static_cast<double>(transfer);
  return time / (time + static_cast<double>((transfer >> rules_.shift) * rules_.multipliers[found->index]));
}

LimitedFlows::State& LimitedFlows::create(FlowKey flow) {
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(states_.size()));
    states_.emplace_back();
  }
  const std::uint32_t place = free_.back();
  free_.pop_back();
  place_of_.at(flow, place);
  states_[place] = {.flow = flow, .used = true};
  ++flows_at_[node_of(flow)];
  ++limited_;
  return states_[place];
}

// Only act() removes a flow with a packet that waits; its gate opens in the same tick.
void LimitedFlows::remove(State& state) {
  if (state.waits) opened_.push_back(state.flow);
  free_.push_back(place_of_.value(state.flow));
  place_of_.erase(state.flow);
  state.used = false;
  --flows_at_[node_of(state.flow)];
  --limited_;
}

void LimitedFlows::schedule(State& state, EventOf kind, Tick tick) {
  state.at[static_cast<std::size_t>(kind)] = tick;
  due_.push({tick, kind, state.flow});
}

void LimitedFlows::wait(FlowKey flow) {
  State& waiting = *find(flow);
  if (std::exchange(waiting.waits, true)) return;
  schedule(waiting, EventOf::gate, tick_that_opens(waiting));
}

void LimitedFlows::move_gate(State& state, Tick now) {
  if (state.waits) schedule(state, EventOf::gate, std::max(now, tick_that_opens(state)));
}

void LimitedFlows::admit(FlowKey flow, std::uint32_t bytes, Tick transfer, Tick now) {
  if (flows_at_[node_of(flow)] == 0) return;
  State* const sender = find(flow);
  if (sender == nullptr) return;
  sender->base = std::max(instant_of(now), sender->base + gap(*sender));
  sender->transfer = transfer;
  if (rules_.kind != ReactionKind::dcqcn) return;
  for (sender->bytes += bytes; sender->used && sender->bytes >= rules_.byte_counter;) {
    sender->bytes -= rules_.byte_counter;
    ++sender->by_bytes;
    raise(*sender, now);
  }
}

void LimitedFlows::handle(const Event& event, Tick now) {
  State* found = find(event.flow);
  if (event.kind == EventOf::notification) {
    const bool is_new = found == nullptr;
    return notify(is_new ? create(event.flow) : *found, is_new, now);
  }
  if (found == nullptr || found->at[static_cast<std::size_t>(event.kind)] != event.tick) return;
  State& flow = *found;
  flow.at[static_cast<std::size_t>(event.kind)] = kNoTick;
  switch (event.kind) {
    case EventOf::alpha:
      flow.alpha -= part_of(flow.alpha, rules_.gain);
      if (std::exchange(flow.told_alpha, false)) flow.alpha += rules_.gain;
      return schedule(flow, EventOf::alpha, now + rules_.alpha_timer);
    case EventOf::rate:
      ++flow.by_time;
      schedule(flow, EventOf::rate, now + rules_.rate_timer);
      return raise(flow, now);
    case EventOf::cut:
      schedule(flow, EventOf::cut, now + rules_.cut_interval);
      if (std::exchange(flow.told_cut, false)) cut(flow, now);
      return;
    case EventOf::recovery:
      if (flow.index > rules_.least_index) --flow.index;
      if (flow.index == 0) return remove(flow);
      if (flow.index > rules_.least_index) schedule(flow, EventOf::recovery, now + rules_.recovery_timer);
      return move_gate(flow, now);
    case EventOf::gate:
      // another packet of the node's level may have passed in this tick
      if (const Tick opens = tick_that_opens(flow); opens > now) return schedule(flow, EventOf::gate, opens);
      opened_.push_back(flow.flow);
      return;
    case EventOf::notification:
      return;
  }
}

void LimitedFlows::notify(State& flow, bool is_new, Tick now) {
  ++notifications_;
  switch (rules_.kind) {
    case ReactionKind::infiniband:
      flow.index = std::min(rules_.most_index, flow.index + rules_.increase);
      if (flow.at[static_cast<std::size_t>(EventOf::recovery)] == kNoTick)
        schedule(flow, EventOf::recovery, now + rules_.recovery_timer);
      return move_gate(flow, now);
    case ReactionKind::dcqcn:
      cut(flow, now);
      flow.alpha += part_of(kFullRate - flow.alpha, rules_.gain);
      return schedule(flow, EventOf::alpha, now + rules_.alpha_timer);
    case ReactionKind::dcqcn_nic:
      if (!is_new) {
        flow.told_alpha = flow.told_cut = true;
        return;
      }
      cut(flow, now);
      schedule(flow, EventOf::alpha, now + rules_.alpha_timer);
      return schedule(flow, EventOf::cut, now + rules_.cut_interval);
  }
}

void LimitedFlows::cut(State& flow, Tick now) {
  // the adapter's form keeps the target until the rate has been raised once
  if (rules_.kind == ReactionKind::dcqcn || flow.by_time > 0) flow.target = flow.rate;
  flow.rate = std::max(rules_.least_rate, flow.rate - part_of(flow.rate, flow.alpha / 2));
  flow.by_time = flow.by_bytes = 0;
  flow.bytes = 0;
  schedule(flow, EventOf::rate, now + rules_.rate_timer);
  move_gate(flow, now);
}

void LimitedFlows::raise(State& flow, Tick now) {
  constexpr std::uint64_t kNearlyFull = kFullRate - kFullRate / 10'000;
  const std::uint32_t most = std::max(flow.by_time, flow.by_bytes),
                      least = std::min(flow.by_time, flow.by_bytes);
  if (rules_.kind == ReactionKind::dcqcn) {
    if (least > rules_.fast_recovery)
      flow.target += rules_.hyper * (least - rules_.fast_recovery);
    else if (most >= rules_.fast_recovery)
      flow.target += rules_.additive;
  } else if (flow.by_time > rules_.fast_recovery) {
    flow.target += flow.by_time > rules_.fast_recovery + 1 ? rules_.hyper : rules_.additive;
  }
  flow.target = std::min(flow.target, kFullRate);
  flow.rate = (flow.rate + flow.target) / 2;
  if (flow.target == kFullRate && flow.rate >= kNearlyFull) return remove(flow);
  move_gate(flow, now);
}

}  // namespace headway
