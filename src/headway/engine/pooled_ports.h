// SPDX-License-Identifier: Apache-2.0
// Ports whose queues share one memory (congestion/isolation.h, congestion/overflow.h). This file contains
// what the engine does in addition when a packet joins or leaves such a port, or when a signal arrives
// (docs/modelling.md, "Isolation", "Overflow"). Called only for networks with such ports.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "headway/arbitration/arbiters.h"
#include "headway/congestion/isolation.h"
#include "headway/congestion/overflow.h"
#include "headway/engine/requests.h"
#include "headway/engine/shape.h"
#include "headway/engine/state.h"

namespace headway {

template <EngineShape kShape>
class PooledPorts {
 public:
  explicit PooledPorts(State& state)
      : state_(state), turn_(kShape.has_pools(state.network) ? state.lists.size() : 0) {}

  // A packet has joined the first queue of an input of this device.
  void on_packet(const Device& device, std::uint32_t input) {
    if (const PortId port = device.first_port + input; !is_calm(port)) state_.unsettled.add(port, true);
  }

  // A packet has been granted.
  void on_taken(const Device& device, std::uint32_t input, std::uint32_t output, std::uint32_t queue) {
    const PortId port = device.first_port + input;
    turn_[list_index(device, input, output)] =
        static_cast<std::uint16_t>(queue + 1 == queues_of(port) ? 0 : queue + 1);
    if (!is_calm(port)) settle(port, false);
  }

  // Phase 2: handles signals, and ports that asked to be settled. Calls on_adapter(node) for nodes that
  // got a signal.
  template <class OnAdapter>
  void on_control(const Bucket& events, OnAdapter&& on_adapter) {
    for (const Event event : events) {
      if (event.a == kNone) {
        state_.unsettled.add(event.b, false);
        continue;
      }
      const Device& device = state_.devices[state_.ports[event.b].owner];
      state_.isolation->receive(event.b, event.a, device.first_port, device.radix);
      for (PortId port = device.first_port; port < device.first_port + device.radix; ++port)
        state_.unsettled.add(port, false);
      if (state_.network.is_adapter_port(event.b)) reopened_.push_back(event.b);
    }
    // after all of the tick's signals, once per node
    std::sort(reopened_.begin(), reopened_.end());
    reopened_.erase(std::unique(reopened_.begin(), reopened_.end()), reopened_.end());
    for (const PortId port : reopened_) on_adapter(state_.network.graph.node_of(port));
    reopened_.clear();
  }

  void settle_all() {
    for (const PortId port : state_.unsettled.ports) {
      settle(port, state_.unsettled.take(port));
      const std::uint32_t owner = state_.ports[port].owner;
      Device& device = state_.devices[owner];
      const bool has_work = state_.template crossbar<kShape.ports>(device).has_work();
      state_.touched_of(owner).add_if(has_work | state_.feedback.waits(owner), device, owner);
    }
    state_.unsettled.ports.clear();
  }

  // The request of an input for an output: among the queues whose head may leave, the one whose turn it is.
  Request eligible_request(const Device& device, std::uint32_t input, std::uint32_t output) {
    const PortId port = device.first_port + input;
    const std::uint32_t first_queue = state_.ports[port].first_queue;
    const std::uint32_t queues = queues_of(port);
    const std::uint32_t next = turn_[list_index(device, input, output)];
    Request found;
    std::uint32_t found_turn = queues;
    for (std::uint32_t id = first_request(state_, device, input, output); id != kNone;) {
      const Queue& queue = state_.queues[id];
      const std::uint32_t number = id - first_queue;
      const std::uint32_t turn = (number + queues - next) % queues;
      if (turn < found_turn && state_.template head_has_room<kShape>(queue, 1) &&
          !is_refused(queue, number)) {
        found = {input, id, state_.age_of(queue.head)};
        found_turn = turn;
      }
      id = queue.next_request;
    }
    return found;
  }

 private:
  bool isolates() const { return kShape.has_isolation(state_.network); }
  std::uint32_t queues_of(PortId port) const { return state_.network.ports[port].queues; }
  bool is_refused(const Queue& queue, std::uint32_t number) const {
    return isolates() && state_.is_refused(queue, number);
  }
  // Returns true if settling would change nothing.
  bool is_calm(PortId port) const {
    if (!isolates()) return false;
    const std::uint32_t id = state_.ports[port].first_queue;
    const Queue& nfq = state_.queues[id];
    return state_.isolation->is_calm(port, state_.credits_in<kShape>(id), nfq.output);
  }

  // A port, as isolation.h and overflow.h access it.
  struct Queues {
    State& state;
    Device& device;
    Touched& touched;
    PortId port;
    std::uint32_t input;
    std::uint32_t first_queue;

    bool is_adapter() const { return state.network.is_adapter_port(port); }
    std::uint32_t length(std::uint32_t queue) const { return state.queues[first_queue + queue].length; }
    std::uint32_t credits(std::uint32_t queue) const {
      return state.template credits_in<kShape>(first_queue + queue);
    }
    Isolation::Head head(std::uint32_t number) const {
      const Queue& queue = state.queues[first_queue + number];
      return {state.packets[queue.head].destination, queue.output};
    }
    NodeId destination(std::uint32_t number) const { return head(number).destination; }
    void move(std::uint32_t from, std::uint32_t to) {
      const PacketId id = pop<kShape>(state, device, input, first_queue + from);
      state.packets[id].queue = first_queue + to;
      enqueue<kShape>(state, id, touched);
    }
    void send(std::uint32_t signal) {
      const PortState& here = state.ports[port];
      if (state.isolation->rules().signal_bytes > 0) {
        state.feedback.add_signal(here.owner, port, signal);
        return;
      }
      state.wheel.schedule(
          EventKind::control,
          state.wheel.now() + Wheel::delay_or(state.isolation->rules().signal_delay, here.credit_delay),
          signal, here.source);
    }
    void wake_at(Tick tick) { state.wheel.schedule(EventKind::control, tick, kNone, port); }
  };

  void settle(PortId port, bool arrived) {
    const PortState& here = state_.ports[port];
    Queues queues{
        state_,          state_.devices[here.owner], state_.touched_of(here.owner), port, here.local,
        here.first_queue};
    if (isolates())
      state_.isolation->settle(port, queues, state_.wheel.now(), arrived && !queues.is_adapter());
    else
      state_.overflow->settle(port, queues);
  }

  State& state_;
  // [request list] the queue that an input asks first for an output. With one for all outputs, those that
  // take turns could pass over the same queue for ever.
  std::vector<std::uint16_t> turn_;
  std::vector<PortId> reopened_;  // adapters that got a signal in this tick
};

}  // namespace headway
