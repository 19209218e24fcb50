// SPDX-License-Identifier: Apache-2.0
// How a component that is frozen moves to a later time.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "headway/engine/deliveries.h"
#include "headway/engine/describe.h"
#include "headway/engine/skip_components.h"

namespace headway {
namespace {

// Moves a state to a later time.
struct Shift {
  Tick ticks;
  std::uint32_t packets = 0;  // of the message that have left since
  std::uint64_t growth = 0;   // of a count

  template <class... T>
  void same(const T&...) {}
  void time(Tick& tick) const { tick += ticks; }
  void serial(std::uint32_t& serial) const { serial += packets; }
  template <class... T>
  void count(T&... members) const {
    ((members = static_cast<T>(members + growth)), ...);
  }
  template <class... T>
  void derived(const T&...) {}
  template <class... T>
  void fixed(const T&...) {}
};

}  // namespace

void Components::make_way(NodeId node, NodeId destination) {
  const Tick now = state_.wheel.now();
  bool goes_on = look_at_ == kNoStop && jobs_.moving_messages() > frozen_messages_;
  if (goes_on) look_at_ = now + window_;
  walk_links(node, destination, [&](PortId output) {
    Component* const component = component_at(output);
    if (component == nullptr || component->phase != Component::Phase::frozen) return;
    thaw(*component, now);
    goes_on = true;
  });
  if (goes_on) set_next_stop();
}

void Components::thaw_all() {
  if (frozen_ == 0) return;
  for (std::size_t c = 0; c < components_.size(); ++c)
    if (components_[c] != nullptr && components_[c]->phase == Component::Phase::frozen)
      thaw(*components_[c], state_.wheel.now());
  set_next_stop();
}

void Components::thaw(Component& component, Tick instant) {
  const auto periods = static_cast<std::uint64_t>((instant - component.since) / component.period);
  advance(component, periods);
  const Tick from = component.since + static_cast<Tick>(periods) * component.period;
  const auto schedule = [&] {
    for (const TimedEvent& it : component.events)
      state_.wheel.schedule(it.kind, it.tick, it.event.a, it.event.b);  // as hops do, which keeps their order
  };
  if (from < instant) {
    if (alone_ == nullptr) alone_ = std::make_unique<Wheel>(state_.network.layout.horizon);
    state_.wheel.exchange(*alone_);
    state_.wheel.restart(from);
    schedule();
    engine_.simulate(instant);
    component.events.clear();
    state_.wheel.take_if([&](EventKind kind, Tick tick, const Event& event) {
      component.events.push_back({tick, event, kind});
      return true;
    });
    state_.wheel.exchange(*alone_);
  }
  schedule();
  if (look_at_ == kNoStop) look_at_ = instant + window_;
  --frozen_;
  frozen_messages_ -= static_cast<std::uint32_t>(component.members.size());
  ++counts_.skips;
  release(component);
}

// Moves the packets, events and counters of a component by so many periods.
void Components::advance(Component& component, std::uint64_t periods) {
  if (periods == 0) return;
  State& state = state_;
  const Tick ticks = static_cast<Tick>(periods) * component.period;
  Shift shift{.ticks = ticks};
  const auto move_packet = [&](PacketId id, PacketAt at) {
    shift.packets = static_cast<std::uint32_t>(member_of(component, id).in_period * periods);
    describe(shift, state.packets[id], at, state.network.links_differ);
    describe(shift, state.packets.origin(id), at);
  };
  for (const Place& place : component.places)
    state.for_each_packet(place.queue, [&](PacketId packet) { move_packet(packet, PacketAt::queue); });
  for (TimedEvent& it : component.events) {
    it.tick += ticks;
    if (it.kind == EventKind::arrive) move_packet(it.event.b, PacketAt::link);
    if (it.kind == EventKind::deliver) move_packet(it.event.a, PacketAt::link);
  }
  const std::uint64_t* growth = component.counts.data();
  for (const PortId link : component.links) {
    shift.growth = *growth++ * periods;
    describe(shift, state.ports[link]);
  }
  for (const std::size_t place : component.lanes) {
    Pauses::Lane& lane = state.pauses->lane(place);
    shift.growth = 0;
    describe(shift, lane);
    const std::uint64_t pauses = *growth++ * periods;
    lane.pauses += pauses;
    lane.ticks += *growth++ * periods;
    state.record.counters.pauses += pauses;
    state.record.counters.events += 2 * pauses;  // and as many resumes
  }
  for (const Injection& injection : component.injections) advance_injection(component, injection, periods);
  count(component, periods);
}

void Components::advance_injection(Component& component, const Injection& injection, std::uint64_t periods) {
  AdmittanceState& waits = state_.admittance;
  AdmittanceState::Node& node = waits.nodes[injection.node];
  const std::uint32_t id = queue_of(injection);
  const ActiveList& active = waits.active[id - waits.first_adapter_queue];
  const auto leave = [&](const Member& member) {
    return static_cast<std::uint32_t>(member.in_period * periods);
  };
  // So many packets of the first message of an admittance queue are admitted.
  const auto admit = [&](std::uint32_t queue, std::uint32_t packets) {
    AdmittanceQueue& waiting = waits.queues[queue];
    Message& message = waits.messages[waiting.first];
    message.serial += packets;
    message.packets -= packets;
    waiting.begun += packets;
    waiting.packets -= packets;
    node.waiting_packets -= packets;
    state_.record.waiting_packets -= packets;
  };
  if (!injection.is_of_one) {
    for (std::uint32_t q = active.first; q != kNone; q = waits.queues[q].next_active) {
      const std::uint32_t first = waits.messages[waits.queues[q].first].serial - waits.queues[q].begun;
      admit(q, leave(component.members[member_of_[jobs_.message_of(injection.node, first)]]));
    }
    Shift shift{.ticks = 0};
    state_.for_each_packet(id, [&](PacketId packet) {
      shift.packets = leave(member_of(component, packet));
      describe(shift, state_.packets[packet], PacketAt::injection_queue, state_.network.links_differ);
    });
    return;
  }
  // All packets have the next number but the last one, which can be shorter and is admitted as usual.
  const std::uint32_t left = leave(component.members[injection.member]);
  const std::uint32_t renumbered = std::min(left, std::max(injection.waiting, 1U) - 1);
  if (left == 0) return;
  Queue& queue = state_.queues[id];
  if (renumbered > 0) {
    admit(active.first, renumbered);
    state_.for_each_packet(id, [&](PacketId packet) { state_.packets[packet].serial += renumbered; });
  }
  for (std::uint32_t more = left - renumbered; more > 0; --more) {
    const PacketId head = queue.head;
    queue.head = state_.packets[head].next;
    --queue.length;
    --state_.record.packets_in_network;
    state_.flow.give_back(id, state_.credits_of(state_.packets[head]));
    state_.packets.release(head);
  }
  if (injection.waiting > 0) engine_.admit(injection.node, injection.number);
}

// What the packets of so many periods add to the counters.
void Components::count(Component& component, std::uint64_t periods) {
  Record& record = state_.record;
  std::uint64_t hops = 0, packets = 0, events = 0;
  for (const Member& member : component.members) {
    const std::uint64_t of_member = member.in_period * periods;
    packets += of_member;
    hops += of_member * member.hops;
    events += of_member * member.events;
    jobs_.skip_packets(member.message, static_cast<std::uint32_t>(of_member));
  }
  record.counters.packets_injected += packets;
  record.counters.packet_hops += hops;
  record.counters.events += events;
  counts_.packet_hops += hops;
  const auto step = static_cast<std::uint64_t>(component.period);
  const auto add = [&](TrafficCounters& counters, Latencies& latencies, const JobWatch::Arrived& arrived) {
    const auto latency = static_cast<std::uint64_t>(arrived.tick - arrived.generated);
    const auto network_latency = static_cast<std::uint64_t>(arrived.tick - arrived.injected);
    counters.packets_delivered += periods;
    counters.bytes_delivered += periods * arrived.bytes;
    counters.payload_delivered += periods * arrived.payload;
    counters.latency_ticks += periods * latency + step * (periods * (periods + 1) / 2);
    counters.network_latency_ticks += periods * network_latency;
    latencies.latency.add_progression(latency + step, step, periods);
    latencies.network_latency.add_times(network_latency, periods);
  };
  for (const JobWatch::Arrived& arrived : component.arrived) {
    const std::uint32_t member = member_of_[arrived.message];
    add(record.counters, record.latencies, arrived);
    record.bytes_to[arrived.destination] += periods * arrived.bytes;
    if (!record.bytes_between.empty())
      record.bytes_between[std::size_t{arrived.source} * state_.network.nodes() + arrived.destination] +=
          periods * arrived.bytes;
    if (flow_of_ != nullptr) {
      TrafficRecord& flow = record.flows[flow_of_->of_generator[arrived.generator]];
      add(flow.counters, flow.latencies, arrived);
    }
    if (class_of_ != nullptr) {
      const std::uint8_t service = service_of(state_, arrived.generator, arrived.source, arrived.destination);
      TrafficRecord& of_class = record.classes[class_of_->of_service[service]];
      add(of_class.counters, of_class.latencies, arrived);
    }
    if (!record.received.empty()) {
      Received& received = record.received[arrived.destination];
      received.packets += periods;
      received.latency_ticks += periods * static_cast<std::uint64_t>(arrived.tick - arrived.generated) +
                                step * (periods * (periods + 1) / 2);
      received.network_latency_ticks += periods * static_cast<std::uint64_t>(arrived.tick - arrived.injected);
    }
    std::uint32_t serial = arrived.serial;
    Tick tick = arrived.tick;
    for (std::uint64_t period = 0; period < periods; ++period) {
      serial += component.members[member].in_period;
      tick += component.period;
      record.trace_hash += hash_of_delivery(arrived.source, arrived.destination, serial, tick);
    }
  }
}

}  // namespace headway
