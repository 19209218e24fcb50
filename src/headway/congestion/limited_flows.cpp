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
Instant LimitedFlows::gap(const LimitedFlow& flow) const {
  const Instant full = instant_of(flow.transfer);
  if (rules_.kind == ReactionKind::infiniband)
    return full + instant_of((flow.transfer >> rules_.shift) * rules_.multipliers[flow.index]);
  return static_cast<Instant>((Wide{static_cast<std::uint64_t>(full)} << 32) / flow.rate);
}

Tick LimitedFlows::tick_that_opens(const LimitedFlow& flow) const {
  return tick_of(flow.base + gap(flow) + instant_of(1) - 1);
}

double LimitedFlows::rate(FlowKey flow, Tick transfer) const {
  const LimitedFlow* const found = find(flow);
  if (found == nullptr) return 1;
  if (rules_.kind != ReactionKind::infiniband)
    return static_cast<double>(found->rate) / static_cast<double>(kFullRate);
  const auto time = static_cast<double>(transfer);
  return time / (time + static_cast<double>((transfer >> rules_.shift) * rules_.multipliers[found->index]));
}

LimitedFlow& LimitedFlows::create(FlowKey flow) {
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(flows_.size()));
    flows_.emplace_back();
  }
  const std::uint32_t place = free_.back();
  free_.pop_back();
  place_of_.at(flow, place);
  flows_[place] = LimitedFlow{};
  flows_[place].key = flow;
  flows_[place].used = true;
  ++flows_at_[node_of(flow)];
  ++states_;
  return flows_[place];
}

// Only act() removes a flow with a packet that waits; its gate opens in the same tick.
void LimitedFlows::remove(LimitedFlow& flow) {
  if (flow.waits) opened_.push_back(flow.key);
  free_.push_back(place_of_.value(flow.key));
  place_of_.erase(flow.key);
  flow.used = false;
  --flows_at_[node_of(flow.key)];
  --states_;
}

void LimitedFlows::wait(FlowKey key, std::uint32_t bytes) {
  LimitedFlow& flow = *find(key);
  if (std::exchange(flow.waits, true)) return;
  flow.waiting_bytes = bytes;
  ++waiting_;
  if (!has_window()) events_.set(flow, FlowEvent::gate, tick_that_opens(flow));
}

void LimitedFlows::apply(GateChange change, LimitedFlow& flow, Tick now) {
  if (change == GateChange::removed) return remove(flow);
  if (change == GateChange::none || !flow.waits) return;
  if (!has_window())
    events_.set(flow, FlowEvent::gate, std::max(now, tick_that_opens(flow)));
  else if (has_room(flow, flow.waiting_bytes))
    events_.set(flow, FlowEvent::gate, now);
}

void LimitedFlows::admit(FlowKey key, std::uint32_t bytes, Tick transfer, Tick now) {
  if (has_window()) {
    LimitedFlow* const found = find(key);
    (found == nullptr ? create(key) : *found).in_flight += bytes;
    return;
  }
  if (flows_at_[node_of(key)] == 0) return;
  LimitedFlow* const flow = find(key);
  if (flow == nullptr) return;
  flow->base = std::max(instant_of(now), flow->base + gap(*flow));
  flow->transfer = transfer;
  if (rules_.kind == ReactionKind::dcqcn)
    apply(dcqcn_admission(*flow, bytes, {rules_, events_, now}), *flow, now);
}

void LimitedFlows::handle(const FlowEvents::Event& event, Tick now) {
  const ReactionAt at{rules_, events_, now};
  if (event.kind == FlowEvent::notification) return notify(event.flow, event.told, at);
  LimitedFlow* const flow = find(event.flow);
  if (flow == nullptr || flow->next(event.kind) != event.tick) return;
  flow->at[static_cast<std::size_t>(event.kind)] = kNoTick;
  switch (event.kind) {
    case FlowEvent::gate:
      return open_gate(*flow, now);
    case FlowEvent::recovery:
      return apply(infiniband_timer(*flow, at), *flow, now);
    default:
      return apply(dcqcn_timer(*flow, event.kind, at), *flow, now);
  }
}

void LimitedFlows::notify(FlowKey key, const Notification& told, const ReactionAt& at) {
  ++notifications_;
  LimitedFlow* const found = find(key);
  if (found == nullptr && rules_.kind == ReactionKind::timely && told.round_trip < rules_.low_round_trip)
    return;  // not congested
  LimitedFlow& flow = found == nullptr ? create(key) : *found;
  ++flow.notifications;
  apply(react(flow, found == nullptr, told, at), flow, at.now);
}

GateChange LimitedFlows::react(LimitedFlow& flow, bool is_new, const Notification& told,
                               const ReactionAt& at) {
  switch (rules_.kind) {
    case ReactionKind::infiniband:
      return infiniband_notification(flow, at);
    case ReactionKind::timely:
      return timely_notification(flow, is_new, told, at);
    case ReactionKind::window:
      flow.in_flight -= told.bytes;
      return flow.in_flight == 0 ? GateChange::removed : GateChange::moved;
    default:
      return dcqcn_notification(flow, is_new, at);
  }
}

void LimitedFlows::open_gate(LimitedFlow& flow, Tick now) {
  // another packet of the node's level may have passed in this tick
  if (!has_window() && tick_that_opens(flow) > now)
    return events_.set(flow, FlowEvent::gate, tick_that_opens(flow));
  opened_.push_back(flow.key);
}

}  // namespace headway
