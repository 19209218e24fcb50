// SPDX-License-Identifier: Apache-2.0
#include "headway/congestion/limited_flows.h"

#include <algorithm>
#include <utility>

namespace headway {

void LimitedFlows::deliver_marked(FlowKey flow, Tick now) {
  std::uint32_t& place = told_at_.at(flow, kNone);
  if (place == kNone) {
    place = static_cast<std::uint32_t>(told_.size());
    told_.push_back(now);
  } else if (now < told_[place] + rules_.notification_interval) {
    return;
  }
  told_[place] = now;
  events_.notify(flow, now + rules_.notification_delay);
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
  ++flows_at_[node_of(flow)];
  ++limited_;
  return flows_[place];
}

// Only act() removes a flow with a packet that waits; its gate opens in the same tick.
void LimitedFlows::remove(LimitedFlow& flow) {
  if (flow.waits) opened_.push_back(flow.key);
  free_.push_back(place_of_.value(flow.key));
  place_of_.erase(flow.key);
  --flows_at_[node_of(flow.key)];
  --limited_;
}

void LimitedFlows::wait(FlowKey flow) {
  LimitedFlow& waiting = *find(flow);
  if (std::exchange(waiting.waits, true)) return;
  events_.set(waiting, FlowEvent::gate, tick_that_opens(waiting));
}

void LimitedFlows::apply(Limit limit, LimitedFlow& flow, Tick now) {
  if (limit == Limit::none) return remove(flow);
  if (limit == Limit::moved && flow.waits)
    events_.set(flow, FlowEvent::gate, std::max(now, tick_that_opens(flow)));
}

void LimitedFlows::admit(FlowKey flow, std::uint32_t bytes, Tick transfer, Tick now) {
  if (flows_at_[node_of(flow)] == 0) return;
  LimitedFlow* const sender = find(flow);
  if (sender == nullptr) return;
  sender->base = std::max(instant_of(now), sender->base + gap(*sender));
  sender->transfer = transfer;
  if (rules_.kind == ReactionKind::dcqcn)
    apply(dcqcn_admission(*sender, bytes, {rules_, events_, now}), *sender, now);
}

void LimitedFlows::handle(const FlowEvents::Event& event, Tick now) {
  const ReactionAt at{rules_, events_, now};
  if (event.kind == FlowEvent::notification) return notify(event.flow, at);
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

void LimitedFlows::notify(FlowKey key, const ReactionAt& at) {
  ++notifications_;
  LimitedFlow* const found = find(key);
  LimitedFlow& flow = found == nullptr ? create(key) : *found;
  apply(rules_.kind == ReactionKind::infiniband ? infiniband_notification(flow, at)
                                                : dcqcn_notification(flow, found == nullptr, at),
        flow, at.now);
}

void LimitedFlows::open_gate(LimitedFlow& flow, Tick now) {
  // another packet of the node's level may have passed in this tick
  if (const Tick opens = tick_that_opens(flow); opens > now) return events_.set(flow, FlowEvent::gate, opens);
  opened_.push_back(flow.key);
}

}  // namespace headway
