// SPDX-License-Identifier: Apache-2.0
// The gates of flows whose sources have slowed down: notifications on their way to sources, and the
// admittance queues that wait until their flow may send (docs/modelling.md, "Congestion control"). Adapters
// call it in networks with a reaction.
#pragma once

#include <cstdint>
#include <utility>

#include "headway/engine/next_hop.h"
#include "headway/engine/state.h"

namespace headway {

// The events of limited flows have changed. The wheel has one timer, that of the next event.
void set_timer(State& state);

class Gates {
 public:
  explicit Gates(State& state) : state_(state) {}

  // `timer`: the generator number of the timers, for the event wheel.
  void start(std::uint32_t timer) { state_.limiter->timer_source = timer; }

  // Returns true if the source must not send a packet of this many bytes to this destination yet.
  bool is_closed(std::uint32_t source, NodeId node, NodeId destination, std::uint32_t bytes) const {
    return flows().is_closed(flow_of(source, node, destination), bytes, state_.wheel.now());
  }
  // A packet is delivered: its destination may notify its source.
  void deliver(PacketId id);
  // A notification has travelled to the source that it is for.
  void arrive(const Packet& packet);
  // A packet of this source has been admitted.
  void admit(std::uint32_t source, const Packet& packet);
  // An admittance queue of the node, whose first packet has this many bytes, waits until its flow may send.
  void wait(std::uint32_t source, NodeId node, NodeId destination, std::uint32_t queue, std::uint32_t bytes);
  // Handles what is due in this tick. Calls open(node, queues) for every flow that may send again.
  template <class Open>
  void act(Open&& open) {
    Limiter& limiter = *state_.limiter;
    if (flows().next() > state_.wheel.now()) return;
    limiter.timer = kNoTick;
    flows().act(state_.wheel.now(), [&](FlowKey flow) {
      ActiveList& waiting = limiter.parked[limiter.parked_of.value(flow)].list;
      open(LimitedFlows::node_of(flow), std::exchange(waiting, {}));
    });
    state_.record.counters.notifications = flows().notifications();
    set_timer(state_);
  }

 private:
  LimitedFlows& flows() const { return state_.limiter->flows; }
  FlowKey flow_of(std::uint32_t source, NodeId node, NodeId destination) const {
    return flow_key(state_.network, node, destination, service_of(state_, source, node, destination));
  }
  State& state_;
};

}  // namespace headway
