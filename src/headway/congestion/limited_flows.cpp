// SPDX-License-Identifier: Apache-2.0
#include "headway/congestion/limited_flows.h"

#include <algorithm>
#include <utility>

namespace headway {

bool LimitedFlows::sends_notification(FlowKey flow, Tick now) {
  if (rules_.notification_interval == 0) return true;
  std::uint32_t& place = told_at_.at(flow, kNone);
  if (place == kNone) {
    place = static_cast<std::uint32_t>(told_.size());
    told_.push_back(now);
  } else if (now < told_[place] + rules_.notification_interval) {
    return false;
  }
  told_[place] = now;
  return true;
}

void LimitedFlows::deliver(FlowKey flow, std::uint32_t bytes, Tick in_network, Tick now) {
  if (sends_notification(flow, now))
    tell(flow, {bytes, in_network + rules_.notification_delay}, now + rules_.notification_delay);
}

// A packet is admitted at the rate of the present moment, so a change of rate moves the gate of packets that
// wait already.
Tick LimitedFlows::tick_that_opens(const ReactingFlow& flow, std::uint32_t bytes) const {
  return visit(flow, [&]<class Own>(const Own& reaction, const auto& own) -> Tick {
    if constexpr (Own::kHasRates)
      return tick_of(flow.base + reaction.gap(own, flow.transfer) + instant_of(1) - 1);
    else
      return reaction.has_room(own, bytes) ? 0 : kNoTick;
  });
}

double LimitedFlows::rate(const ReactingFlow& flow, Tick transfer) const {
  return visit(flow, [&]<class Own>(const Own& reaction, const auto& own) -> double {
    if constexpr (Own::kHasRates)
      return reaction.rate(own, transfer);
    else
      return 1;
  });
}

ReactingFlow& LimitedFlows::create(FlowKey flow) {
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(flows_.size()));
    flows_.emplace_back();
  }
  const std::uint32_t place = free_.back();
  free_.pop_back();
  place_of_.at(flow, place);
  flows_[place] = {{.key = flow, .used = true}, {}};
  std::visit([&]<class Own>(const Own&) { flows_[place].own = typename Own::State{}; }, rules_.own);
  ++flows_at_[node_of(flow)];
  ++states_;
  return flows_[place];
}

// Only act() removes a flow with a packet that waits; its gate opens in the same tick.
void LimitedFlows::remove(ReactingFlow& flow) {
  if (flow.waits) opened_.push_back(flow.key);
  free_.push_back(place_of_.value(flow.key));
  place_of_.erase(flow.key);
  flow.used = false;
  --flows_at_[node_of(flow.key)];
  --states_;
}

void LimitedFlows::wait(FlowKey key, std::uint32_t bytes) {
  ReactingFlow& flow = *find(key);
  if (std::exchange(flow.waits, true)) return;
  flow.waiting_bytes = bytes;
  ++waiting_;
  if (const Tick opens = tick_that_opens(flow, bytes); opens != kNoTick) events_.set(flow, kGateEvent, opens);
}

void LimitedFlows::apply(GateChange change, ReactingFlow& flow, Tick now) {
  if (change == GateChange::removed) return remove(flow);
  if (change == GateChange::none || !flow.waits) return;
  const Tick opens = tick_that_opens(flow, flow.waiting_bytes);
  if (opens != kNoTick) events_.set(flow, kGateEvent, std::max(now, opens));
}

void LimitedFlows::admit(FlowKey key, std::uint32_t bytes, Tick transfer, Tick now) {
  if (has_rates_ && flows_at_[node_of(key)] == 0) return;
  ReactingFlow* flow = find(key);
  if (flow == nullptr && has_rates_) return;
  if (flow == nullptr) flow = &create(key);
  const GateChange change = visit(*flow, [&]<class Own>(const Own& reaction, auto& own) {
    if constexpr (Own::kHasRates)
      flow->base = std::max(instant_of(now), flow->base + reaction.gap(own, flow->transfer));
    flow->transfer = transfer;
    return reaction.on_admission(own, bytes, {*flow, events_, now});
  });
  apply(change, *flow, now);
}

void LimitedFlows::handle(const FlowEvents::Event& event, Tick now) {
  if (event.kind == kNotificationEvent) return notify(event.flow, event.told, now);
  ReactingFlow* const flow = find(event.flow);
  if (flow == nullptr || flow->at[event.kind] != event.tick) return;
  flow->at[event.kind] = kNoTick;
  if (event.kind == kGateEvent) {
    // another packet of the node's level may have passed in this tick
    const Tick opens = tick_that_opens(*flow, flow->waiting_bytes);
    if (opens > now) return events_.set(*flow, kGateEvent, opens);
    return opened_.push_back(flow->key);
  }
  const GateChange change = visit(*flow, [&]<class Own>(const Own& reaction, auto& own) {
    static_assert(Own::kTimers <= kMostFlowTimers);
    if constexpr (Own::kTimers > 0)
      return reaction.on_timer(own, event.kind, {*flow, events_, now});
    else
      return GateChange::none;
  });
  apply(change, *flow, now);
}

void LimitedFlows::notify(FlowKey key, const Notification& told, Tick now) {
  ++notifications_;
  ReactingFlow* flow = find(key);
  const bool is_new = flow == nullptr;
  const GateChange change = std::visit(
      [&]<class Own>(const Own& reaction) {
        if (is_new && !reaction.begins_at(told)) return GateChange::none;
        if (is_new) flow = &create(key);
        ++flow->notifications;
        return reaction.on_notification(*std::get_if<typename Own::State>(&flow->own), told, is_new,
                                        {*flow, events_, now});
      },
      rules_.own);
  if (flow != nullptr) apply(change, *flow, now);
}

}  // namespace headway
