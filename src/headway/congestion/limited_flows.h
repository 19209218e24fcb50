// SPDX-License-Identifier: Apache-2.0
// Flows whose sources have slowed down because switches have marked their packets (docs/modelling.md,
// "Congestion control"). A flow is a source, a destination and a service level. It has a state from its first
// notification until it may send at full rate again; others have none and no limit.
//
// Sources of the rules: reaction.h.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

#include "headway/base/flat_map.h"
#include "headway/base/ids.h"
#include "headway/congestion/control_rules.h"
#include "headway/traffic/instant.h"

namespace headway {

// node << 32 | destination and service level (admittance_key), or the service level alone
using FlowKey = std::uint64_t;

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
  Tick next() const { return due_.empty() ? kNoTick : due_.top().tick; }
  // Handles all events that are due: timers and notifications of all flows, then the gates of waiting flows
  // in ascending order. Calls open(flow) for each of these.
  template <class Open>
  void act(Tick now, Open&& open) {
    while (next() <= now) {
      const Event event = due_.top();
      due_.pop();
      handle(event, now);
    }
    std::ranges::sort(opened_);
    for (const FlowKey flow : opened_) {
      if (State* const found = find(flow)) found->waits = false;
      open(flow);
    }
    opened_.clear();
  }

  std::uint64_t notifications() const { return notifications_; }  // that have taken effect
  std::uint32_t limited() const { return limited_; }              // flows that have a state
  // The present rate of a flow, as a fraction of its node's link rate, for packets of this time on the link.
  double rate(FlowKey flow, Tick transfer) const;
  static constexpr Tick kNoTick = INT64_MAX;

 private:
  // In the order in which the events of a tick are handled.
  enum class EventOf : std::uint8_t { alpha, rate, cut, recovery, notification, gate };
  struct Event {
    Tick tick;
    EventOf kind;
    FlowKey flow;
    friend bool operator<(const Event& a, const Event& b) {  // the top of the heap is the first
      return std::tie(b.tick, b.kind, b.flow) < std::tie(a.tick, a.kind, a.flow);
    }
  };
  struct State {
    FlowKey flow = 0;
    bool used = false;
    bool waits = false;  // a packet waits for the gate
    Instant base = 0;    // nominal start of its last packet
    Tick transfer = 0;   // of that packet
    // The next event of each kind but notifications. Events for other ticks have been cancelled.
    std::array<Tick, 6> at = {kNoTick, kNoTick, kNoTick, kNoTick, kNoTick, kNoTick};
    // dcqcn
    std::uint64_t rate = kFullRate, target = kFullRate, alpha = kFullRate;
    std::uint64_t bytes = 0;
    std::uint32_t by_time = 0, by_bytes = 0;    // stages of recovery
    bool told_alpha = false, told_cut = false;  // dcqcn_nic: a notification since the last event
    // infiniband
    std::uint32_t index = 0;
  };

  const State* find(FlowKey flow) const {
    const std::uint32_t place = place_of_.value(flow, kNone);
    return place == kNone ? nullptr : &states_[place];
  }
  State* find(FlowKey flow) {
    const std::uint32_t place = place_of_.value(flow, kNone);
    return place == kNone ? nullptr : &states_[place];
  }
  State& create(FlowKey flow);
  void remove(State& state);
  Tick tick_that_opens(FlowKey flow) const {
    const State* const found = find(flow);
    return found == nullptr ? 0 : tick_that_opens(*found);
  }
  Tick tick_that_opens(const State& state) const;
  Instant gap(const State& state) const;
  void schedule(State& state, EventOf kind, Tick tick);
  void move_gate(State& state, Tick now);
  void handle(const Event& event, Tick now);
  void notify(State& state, bool is_new, Tick now);
  void cut(State& state, Tick now);
  void raise(State& state, Tick now);

  const ReactionRules& rules_;
  std::vector<std::uint32_t> flows_at_;  // [node] flows that have a state
  FlatMap<FlowKey> place_of_;            // flow -> its place in states_
  std::vector<State> states_;
  std::vector<std::uint32_t> free_;  // places in states_
  std::vector<Tick> told_;           // time of the last notification
  FlatMap<FlowKey> told_at_;         // flow -> its place in told_
  std::priority_queue<Event> due_;
  std::vector<FlowKey> opened_;  // a member only to reuse its memory
  std::uint64_t notifications_ = 0;
  std::uint32_t limited_ = 0;
};

}  // namespace headway
