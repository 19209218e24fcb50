// SPDX-License-Identifier: Apache-2.0
// Flows whose sources may have to wait because of congestion (docs/modelling.md, "Congestion control"). A
// flow is a source, a destination and a service level. With a window, it has a state while packets of it are
// in flight; with rates, from a notification until it may send at full rate again. Others have none and no
// limit. What a reaction does to a flow is in its own file (reactions.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "headway/base/flat_map.h"
#include "headway/base/ids.h"
#include "headway/base/memory_parts.h"
#include "headway/congestion/reactions.h"

namespace headway {

class LimitedFlows {
 public:
  LimitedFlows(const ReactionRules& rules, std::uint32_t nodes)
      : rules_(rules), has_rates_(rules.has_rates()), flows_at_(nodes) {}

  const ReactionRules& rules() const { return rules_; }
  static NodeId node_of(FlowKey flow) { return static_cast<NodeId>(flow >> 32); }

  // The destination of a packet of the flow may notify its source: of a marked packet or, if the reaction
  // acts on every packet, of any. `in_network`: the time since it left its node.
  void deliver(FlowKey flow, std::uint32_t bytes, Tick in_network, Tick now);

  // A delivery in two steps, if the notification travels: whether its destination sends one, and that it has
  // arrived.
  bool sends_notification(FlowKey flow, Tick now);
  void tell(FlowKey flow, const Notification& told, Tick now) { events_.notify(flow, told, now); }

  // Returns true if a packet of this many bytes must wait.
  bool is_closed(FlowKey flow, std::uint32_t bytes, Tick now) const {
    if (flows_at_[node_of(flow)] == 0) return false;
    const ReactingFlow* const found = find(flow);
    return found != nullptr && is_closed(*found, bytes, now);
  }
  // The flow has a packet of this many bytes that waits for its gate. act() will open it.
  void wait(FlowKey flow, std::uint32_t bytes);
  // A packet of the flow has been admitted; `transfer`: its time on the node's link.
  void admit(FlowKey flow, std::uint32_t bytes, Tick transfer, Tick now);

  // The tick of the next event. act() must be called then.
  Tick next() const { return events_.next(); }
  // Handles all events that are due: timers and notifications of all flows, then the gates of waiting flows
  // in ascending order. Calls open(flow) for each of these.
  template <class Open>
  void act(Tick now, Open&& open) {
    while (next() <= now) handle(events_.take(), now);
    waiting_ -= static_cast<std::uint32_t>(opened_.size());
    std::ranges::sort(opened_);
    for (const FlowKey flow : opened_) {
      if (ReactingFlow* const found = find(flow)) found->waits = false;
      open(flow);
    }
    opened_.clear();
  }

  std::uint64_t bytes() const {
    return bytes_taken(flows_at_, flows_, free_, told_, opened_) + place_of_.bytes() + told_at_.bytes();
  }
  std::uint64_t notifications() const { return notifications_; }  // that have taken effect
  // Flows that may not send at full rate or, with a window, that wait.
  std::uint32_t limited() const { return has_rates_ ? states_ : waiting_; }
  // The present rate of a flow, as a fraction of its node's link rate, for packets of this time on the link;
  // 1 if it has no rate.
  double rate(FlowKey flow, Tick transfer) const {
    const ReactingFlow* const found = find(flow);
    return found == nullptr ? 1 : rate(*found, transfer);
  }
  double rate(const ReactingFlow& flow, Tick transfer) const;
  // What rate(), limited() and for_each() read, for observers in another process.
  template <class Io>
  void serialize(Io& io) {
    io.list(flows_);
    io.value(states_);
    io.value(waiting_);
    if constexpr (Io::kReads)
      for (std::size_t place = 0; place < flows_.size(); ++place)
        if (flows_[place].used) place_of_.at(flows_[place].key, 0) = static_cast<std::uint32_t>(place);
  }
  // Calls visit(flow) for every flow that limited() counts.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (const ReactingFlow& flow : flows_)
      if (flow.used && (flow.waits || has_rates_)) visit(flow);
  }

 private:
  const ReactingFlow* find(FlowKey flow) const {
    const std::uint32_t place = place_of_.value(flow, kNone);
    return place == kNone ? nullptr : &flows_[place];
  }
  ReactingFlow* find(FlowKey flow) {
    const std::uint32_t place = place_of_.value(flow, kNone);
    return place == kNone ? nullptr : &flows_[place];
  }
  // Calls call(reaction, state), with the state that a flow has of the reaction. All flows have it, so that
  // nothing tests for another.
  template <class Flow, class Call>
  auto visit(Flow& flow, Call&& call) const {
    return std::visit(
        [&]<class Own>(const Own& reaction) {
          auto* const own = std::get_if<typename Own::State>(&flow.own);
          if (own == nullptr) __builtin_unreachable();
          return call(reaction, *own);
        },
        rules_.own);
  }
  ReactingFlow& create(FlowKey flow);
  void remove(ReactingFlow& flow);
  // With a window, a short packet must not pass a longer one that waits.
  bool is_closed(const ReactingFlow& flow, std::uint32_t bytes, Tick now) const {
    return (flow.waits && !has_rates_) || tick_that_opens(flow, bytes) > now;
  }
  // The tick from which a packet of this many bytes may go; kNoTick: when enough has been acknowledged.
  Tick tick_that_opens(const ReactingFlow& flow, std::uint32_t bytes) const;
  void handle(const FlowEvents::Event& event, Tick now);
  void notify(FlowKey flow, const Notification& told, Tick now);
  void apply(GateChange change, ReactingFlow& flow, Tick now);

  const ReactionRules& rules_;
  bool has_rates_;
  std::vector<std::uint32_t> flows_at_;  // [node] flows that have a state
  FlatMap<FlowKey> place_of_;            // flow -> its place in flows_
  std::vector<ReactingFlow> flows_;
  std::vector<std::uint32_t> free_;  // places in flows_
  std::vector<Tick> told_;           // time of the last notification
  FlatMap<FlowKey> told_at_;         // flow -> its place in told_
  FlowEvents events_;
  std::vector<FlowKey> opened_;  // a member only to reuse its memory
  std::uint64_t notifications_ = 0;
  std::uint32_t states_ = 0;
  std::uint32_t waiting_ = 0;  // flows with a packet that waits
};

}  // namespace headway
