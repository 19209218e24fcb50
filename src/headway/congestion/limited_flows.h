// SPDX-License-Identifier: Apache-2.0
// Flows whose sources have slowed down because switches have marked their packets (docs/modelling.md,
// "Congestion control"). A flow is a source, a destination and a service level. It has a state from its first
// notification until it may send at full rate again; others have none and no limit. What a reaction does to a
// flow is in limited_flow.h.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "headway/base/flat_map.h"
#include "headway/base/ids.h"
#include "headway/congestion/control_rules.h"
#include "headway/congestion/limited_flow.h"

namespace headway {

class LimitedFlows {
 public:
  LimitedFlows(const ReactionRules& rules, std::uint32_t nodes) : rules_(rules), flows_at_(nodes) {}

  const ReactionRules& rules() const { return rules_; }
  static NodeId node_of(FlowKey flow) { return static_cast<NodeId>(flow >> 32); }

  // A marked packet of the flow has been delivered: its source may get a notification.
  void deliver_marked(FlowKey flow, Tick now);

  bool is_closed(FlowKey flow, Tick now) const {
    return flows_at_[node_of(flow)] > 0 && tick_that_opens(flow) > now;
  }
  // The flow has a packet that waits for its gate. act() will open it.
  void wait(FlowKey flow);
  // A packet of the flow has been admitted; `transfer`: its time on the node's link.
  void admit(FlowKey flow, std::uint32_t bytes, Tick transfer, Tick now);

  // The tick of the next event. act() must be called then.
  Tick next() const { return events_.next(); }
  // Handles all events that are due: timers and notifications of all flows, then the gates of waiting flows
  // in ascending order. Calls open(flow) for each of these.
  template <class Open>
  void act(Tick now, Open&& open) {
    while (next() <= now) handle(events_.take(), now);
    std::ranges::sort(opened_);
    for (const FlowKey flow : opened_) {
      if (LimitedFlow* const found = find(flow)) found->waits = false;
      open(flow);
    }
    opened_.clear();
  }

  std::uint64_t notifications() const { return notifications_; }  // that have taken effect
  std::uint32_t limited() const { return limited_; }              // flows that have a state
  // The present rate of a flow, as a fraction of its node's link rate, for packets of this time on the link.
  double rate(FlowKey flow, Tick transfer) const;

 private:
  const LimitedFlow* find(FlowKey flow) const {
    const std::uint32_t place = place_of_.value(flow, kNone);
    return place == kNone ? nullptr : &flows_[place];
  }
  LimitedFlow* find(FlowKey flow) {
    const std::uint32_t place = place_of_.value(flow, kNone);
    return place == kNone ? nullptr : &flows_[place];
  }
  LimitedFlow& create(FlowKey flow);
  void remove(LimitedFlow& flow);
  Tick tick_that_opens(FlowKey flow) const {
    const LimitedFlow* const found = find(flow);
    return found == nullptr ? 0 : tick_that_opens(*found);
  }
  Tick tick_that_opens(const LimitedFlow& flow) const;
  Instant gap(const LimitedFlow& flow) const;
  void handle(const FlowEvents::Event& event, Tick now);
  void notify(FlowKey flow, const ReactionAt& at);
  void open_gate(LimitedFlow& flow, Tick now);
  void apply(Limit limit, LimitedFlow& flow, Tick now);

  const ReactionRules& rules_;
  std::vector<std::uint32_t> flows_at_;  // [node] flows that have a state
  FlatMap<FlowKey> place_of_;            // flow -> its place in flows_
  std::vector<LimitedFlow> flows_;
  std::vector<std::uint32_t> free_;  // places in flows_
  std::vector<Tick> told_;           // time of the last notification
  FlatMap<FlowKey> told_at_;         // flow -> its place in told_
  FlowEvents events_;
  std::vector<FlowKey> opened_;  // a member only to reuse its memory
  std::uint64_t notifications_ = 0;
  std::uint32_t limited_ = 0;
};

}  // namespace headway
