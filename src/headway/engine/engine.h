// SPDX-License-Identifier: Apache-2.0
// The event-driven kernel: virtual cut-through or store-and-forward switches with queues at their inputs, a
// multiplexed crossbar, and credits per queue. The rules are docs/modelling.md; this is their fast form, and
// all of it.
//
// A tick: handle its events phase by phase, then let every device that something happened to arbitrate. What
// shapes the code is a template parameter (the arbiter, sets of more than 64 ports); schemes and routings are
// data in Network.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "headway/arbitration/arbiters.h"
#include "headway/base/flat_map.h"
#include "headway/engine/adapters.h"
#include "headway/engine/inspect.h"
#include "headway/engine/simulation.h"
#include "headway/engine/state.h"

namespace headway {

template <class Arbiter, bool kWide, bool kQueued>
class Engine final : public Simulation {
 public:
  Engine(const Network& network, const Workload& workload, const SimulationOptions& options)
      : network_(network),
        state_(network, options.seed),
        adapters_(state_, workload, options.seed),
        options_(options),
        tracks_order_(!network.in_order || options.check) {
    if (network.arbiter == ArbiterKind::random)
      for (std::uint32_t d = 0; d < network.devices(); ++d)
        rng_.emplace_back(options.seed, StreamKind::arbiter, d);
    else
      rng_.emplace_back();
    adapters_.start();
  }

  void run_until(Tick end) override {
    while (state_.wheel.advance(end)) {
      run_tick();
      state_.wheel.leave_tick();
      if (options_.check) check_invariants(state_);
    }
  }

  const Record& record() const override { return state_.record; }
  Record& record() override { return state_.record; }
  Stall find_stall() const override { return headway::find_stall(state_); }
  std::vector<std::uint16_t> longest_queues() const override {
    std::vector<std::uint16_t> result;
    for (const Queue& queue : state_.queues) result.push_back(queue.longest);
    return result;
  }
  void reset_longest_queues() override {
    for (Queue& queue : state_.queues) queue.longest = queue.length;
  }

 private:
  void run_tick() {
    Wheel& wheel = state_.wheel;
    const Bucket& arrivals = wheel.bucket(EventKind::arrive);
    const Bucket& deliveries = wheel.bucket(EventKind::deliver);
    const Bucket& releases = wheel.bucket(EventKind::release);
    const Bucket& credits = wheel.bucket(EventKind::credit);
    Bucket& generations = wheel.bucket(EventKind::generate);
    for (const Event event : arrivals) on_arrive(event.b);
    for (const Event event : deliveries) on_deliver(event.a);
    for (const Event event : releases) on_release(event.a);
    for (const Event event : credits) on_credit(event.a, event.b);
    adapters_.generate(generations);
    state_.record.counters.events +=
        arrivals.size() + deliveries.size() + releases.size() + credits.size() + generations.size();
    arbitrate_all(state_.touched);
    if constexpr (kQueued) arbitrate_all(state_.touched_stages);
  }

  void arbitrate_all(Touched& touched) {
    for (std::uint32_t i = 0; i < touched.count; ++i) {
      state_.devices[touched.list[i]].touched = 0;
      arbitrate(touched.list[i]);
    }
    touched.count = 0;
  }

  void on_arrive(PacketId id) {
    state_.packets[id].ready = state_.wheel.now();
    state_.template enqueue<kWide>(id);
  }

  void on_deliver(PacketId id) {
    const Packet& packet = state_.packets[id];
    const Tick now = state_.wheel.now();
    Record& record = state_.record;
    const auto latency = static_cast<std::uint64_t>(now - packet.generated);
    const auto network_latency = static_cast<std::uint64_t>(now - packet.injected);
    ++record.counters.packets_delivered;
    record.counters.bytes_delivered += packet.length;
    record.counters.latency_ticks += latency;
    record.counters.network_latency_ticks += network_latency;
    record.latency.add(latency);
    record.network_latency.add(network_latency);
    record.bytes_to[packet.destination] += packet.length;
    // a sum, so that the order of deliveries within a tick cannot matter
    const std::uint64_t pair = static_cast<std::uint64_t>(packet.source) << 32 | packet.destination;
    record.trace_hash += mix64(pair * 0x9e3779b97f4a7c15ULL + packet.serial * 0xd1342543de82ef95ULL +
                               static_cast<std::uint64_t>(now) * 0xaf251af3b0f025b5ULL);
    if (tracks_order_) note_order(pair, packet.serial);
    if (options_.deliveries != nullptr)
      options_.deliveries->push_back({packet.source, packet.destination, packet.serial, now});
    --record.packets_in_network;
    state_.packets.release(id);
  }

  void note_order(std::uint64_t pair, std::uint32_t serial) {
    std::uint32_t& expected = next_serial_.at(pair, 0);
    if (serial >= expected) {
      expected = serial + 1;
      return;
    }
    ++state_.record.counters.out_of_order;
    if (network_.in_order)
      throw InvariantError(fail_text(state_, "packet overtaken by a later one of its pair", serial));
  }

  void on_release(PortId output) {
    const Port& port = state_.ports[output];
    const OutputState& served = state_.outputs[output];
    state_.template free_outputs<kWide>(port.owner).insert(port.local);
    state_.template free_inputs<kWide>(port.owner).insert(served.serving_input);
    if (network_.is_adapter_port(output)) {
      adapters_.on_slot_free(network_.graph.node_of(output), served.serving_queue);
    } else if (kQueued && output >= network_.graph.ports()) {
      on_credit(served.serving_queue, port.source);  // the crossbar sees the room at once
    }
    if (!state_.template requested<kWide>(port.owner).empty()) state_.touch(port.owner);
  }

  void on_credit(std::uint32_t queue, PortId sender) {
    if (state_.credits[queue]++ != 0) return;  // there was room already: nobody waited for this
    const Port& port = state_.ports[sender];
    if (state_.template free_outputs<kWide>(port.owner).contains(port.local) &&
        state_.template requested<kWide>(port.owner).contains(port.local))
      state_.touch(port.owner);
  }

  // One round of a device: every free output in rotating order picks among the free inputs that request it.
  void arbitrate(std::uint32_t device) {
    using Common = typename PortSet<kWide>::Common;
    const PortSet<kWide> inputs = state_.template free_inputs<kWide>(device);
    const PortSet<kWide> outputs = state_.template free_outputs<kWide>(device);
    const PortSet<kWide> requested = state_.template requested<kWide>(device);
    Device& here = state_.devices[device];
    std::uint32_t first_granted = kNone;
    Common(requested, outputs).visit_from(here.first_output, [&](std::uint32_t output) {
      const PortId port = here.first_port + output;
      const PortSet<kWide> requests = state_.template requests<kWide>(port);
      const Common candidates(requests, inputs);
      if (candidates.empty()) return false;
      const Request won = Arbiter::pick(
          candidates, state_.outputs[port].next_input,
          [&](std::uint32_t input) { return eligible_request(here, input, output); }, rng_of(device));
      if (won) {
        grant(device, output, won);
        if (first_granted == kNone) first_granted = output;
      }
      return false;
    });
    if (first_granted != kNone) here.first_output = first_granted + 1 == here.radix ? 0 : first_granted + 1;
  }

  // The request of an input for an output that has room downstream: the first in line, or the oldest.
  Request eligible_request(const Device& device, std::uint32_t input, std::uint32_t output) {
    const Port& port = state_.ports[device.first_port + input];
    Request found;
    if (device.first_list == kNone) {
      const std::uint32_t local = state_.queue_of_output[output];
      const Queue& queue = state_.queues[port.first_queue + local];
      if (!state_.has_room(queue.target)) return found;
      return {input, local, Arbiter::kByAge ? state_.packets[queue.head].ready : 0};
    }
    for (std::uint16_t local = state_.list_of(port, output).first; local != RequestList::kEnd;) {
      const Queue& queue = state_.queues[port.first_queue + local];
      if (state_.has_room(queue.target)) {
        if constexpr (!Arbiter::kByAge) return {input, local, 0};
        const Tick since = state_.packets[queue.head].ready;
        if (!found || since < found.since) found = {input, local, since};
      }
      local = queue.next_request;
    }
    return found;
  }

  void grant(std::uint32_t device, std::uint32_t output, const Request& won) {
    const Device& here = state_.devices[device];
    const PortId out_id = here.first_port + output;
    const Port& out = state_.ports[out_id];
    const Port& in = state_.ports[here.first_port + won.input];
    const std::uint32_t queue = in.first_queue + won.queue;
    const PacketId id = state_.template pop<kWide>(in, queue);
    Packet& packet = state_.packets[id];
    Wheel& wheel = state_.wheel;
    const Tick now = wheel.now();

    OutputState& serving = state_.outputs[out_id];
    serving.next_input = static_cast<std::uint16_t>(won.input + 1 == here.radix ? 0 : won.input + 1);
    serving.serving_input = static_cast<std::uint16_t>(won.input);
    serving.serving_queue = queue;
    state_.template free_inputs<kWide>(device).erase(won.input);
    state_.template free_outputs<kWide>(device).erase(output);

    Tick transfer = static_cast<Tick>(packet.length) * out.ticks_per_byte;
    if (kQueued && network_.is_switch(device)) transfer = std::max(transfer, tail_arrival(packet, in) - now);
    state_.record.bytes_sent[out_id] += packet.length;
    wheel.schedule(EventKind::release, now + transfer, out_id);
    if (network_.is_switch(device)) {
      ++state_.record.counters.packet_hops;
      wheel.schedule(EventKind::credit, now + transfer + state_.ports[in.source].delay, queue, in.source);
    } else if (!kQueued || network_.is_adapter(device)) {
      ++state_.record.counters.packets_injected;
      packet.injected = now;
    }

    if (packet.target == state_.sink()) {
      wheel.schedule(EventKind::deliver, now + transfer + out.delay, id);
      return;
    }
    if (state_.sender_chooses) packet.target = state_.most_room(packet.target, serving.next_queue);
    --state_.credits[packet.target];
    packet.queue = packet.target;
    packet.port = out.peer;
    if (kQueued && network_.is_switch(device)) {
      packet.output = 0;
      packet.target = packet.target_after;
      packet.ready = now;
      state_.template enqueue<kWide>(id);
      return;
    }
    packet.output = packet.next_output;
    state_.look_ahead(packet);
    const Tick header = now + out.delay + network_.routing_delay;
    wheel.schedule(EventKind::arrive, network_.store_and_forward ? header + transfer : header, packet.queue,
                   id);
  }

  // When the tail of a packet in an input queue has arrived, or will.
  Tick tail_arrival(const Packet& packet, const Port& input) const {
    const Tick switchable = packet.ready - network_.routing_delay;
    return network_.store_and_forward
               ? switchable
               : switchable + static_cast<Tick>(packet.length) * state_.ports[input.source].ticks_per_byte;
  }

  Rng& rng_of(std::uint32_t device) {
    return network_.arbiter == ArbiterKind::random ? rng_[device] : rng_[0];
  }

  const Network& network_;
  State state_;
  Adapters<kWide> adapters_;
  SimulationOptions options_;
  bool tracks_order_;
  FlatMap next_serial_;   // (source, destination) -> one past the highest serial number delivered
  std::vector<Rng> rng_;  // [device] for random arbitration
};

}  // namespace headway
