// SPDX-License-Identifier: Apache-2.0
// Records deliveries: counters, latencies, the delivery hash, and the order of every pair's packets.
#pragma once

#include <cstdint>
#include <vector>

#include "headway/base/flat_map.h"
#include "headway/base/memory_parts.h"
#include "headway/engine/inspect.h"
#include "headway/engine/jobs.h"
#include "headway/engine/simulation.h"
#include "headway/engine/state.h"

namespace headway {

// What a delivery adds to the delivery hash. Summed, so that the order of deliveries within a tick does not
// matter.
inline std::uint64_t hash_of_delivery(NodeId source, NodeId destination, std::uint32_t serial, Tick tick) {
  const std::uint64_t pair = std::uint64_t{source} << 32 | destination;
  return mix64(pair * 0x9e3779b97f4a7c15ULL + serial * 0xd1342543de82ef95ULL +
               static_cast<std::uint64_t>(tick) * 0xaf251af3b0f025b5ULL);
}

class Deliveries {
 public:
  Deliveries(State& state, const SimulationOptions& options, Jobs& jobs)
      : state_(state),
        jobs_(jobs),
        tell_(options.deliveries),
        flow_of_(options.count_flows),
        class_of_(options.count_classes),
        tracks_order_(!state.network.in_order || options.check),
        counts_parts_(options.count_pairs || options.count_received || options.count_flows != nullptr ||
                      options.count_classes != nullptr || !jobs.none()) {
    const std::size_t nodes = state.network.nodes();
    if (options.count_pairs) state.record.bytes_between.resize(nodes * nodes);
    if (options.count_received) state.record.received.resize(nodes);
    if (flow_of_ != nullptr) state.record.flows.resize(flow_of_->flows);
    if (class_of_ != nullptr) state_.record.classes.resize(class_of_->classes);
    if (tell_) told_.reserve(kTold);
  }

  // The tail of the packet has reached its destination; frees the packet. Inlined by attribute, because gcc
  // sees a caller for each engine instance in the file.
  [[gnu::always_inline]] void deliver(PacketId id) {
    const Packet& packet = state_.packets[id];
    const PacketOrigin& origin = state_.packets.origin(id);
    const Tick now = state_.wheel.now();
    Record& record = state_.record;
    const auto latency = static_cast<std::uint64_t>(now - origin.generated);
    const auto network_latency = static_cast<std::uint64_t>(now - origin.injected);
    record.counters.deliver(packet.length, origin.payload, latency, network_latency);
    record.latencies.add(latency, network_latency);
    record.bytes_to[packet.destination] += packet.length;
    if (counts_parts_) count_parts(packet, origin, latency, network_latency);
    record.trace_hash += hash_of(packet);
    if (tracks_order_) note_order(pair_of(packet), packet.serial);
    if (tell_) tell(packet, origin);
    --record.packets_in_network;
    state_.packets.release(id);
  }

  // Delivers a notification, which counts only for its flow and its class.
  void deliver_notice(PacketId id) {
    const Packet& packet = state_.packets[id];
    const PacketOrigin& origin = state_.packets.origin(id);
    const Tick now = state_.wheel.now();
    Record& record = state_.record;
    ++record.counters.notices_delivered;
    if (flow_of_ != nullptr || class_of_ != nullptr)
      count_flow_and_class(packet, origin, static_cast<std::uint64_t>(now - origin.generated),
                           static_cast<std::uint64_t>(now - origin.injected));
    record.trace_hash += hash_of(packet);
    if (tell_) tell(packet, origin);
    --record.packets_in_network;
    state_.packets.release(id);
  }

  // Tells the listener all that it has not been told.
  void tell_all() {
    if (told_.empty()) return;
    tell_(told_);
    told_.clear();
  }

  // Prefetches for the delivery of a packet.
  void fetch(PacketId id) const {
    if (tracks_order_) next_serial_.fetch(pair_of(state_.packets[id]));
  }

  // One past the highest serial number delivered. Only where packets can overtake each other.
  std::uint32_t next_serial(NodeId source, NodeId destination) const {
    return next_serial_.value(pair_of(source, destination), 0);
  }

  std::uint64_t bytes() const { return next_serial_.bytes() + bytes_taken(told_); }

 private:
  [[gnu::noinline]] void tell(const Packet& packet, const PacketOrigin& origin) {
    if (told_.size() == kTold) tell_all();
    told_.push_back({packet.source, packet.destination, packet.serial, state_.wheel.now(), origin.generator,
                     origin.message, origin.packets, origin.generated, origin.injected, origin.payload});
  }

  // Counts by flow, by class, by destination and by pair, and tells the jobs.
  [[gnu::noinline]] void count_parts(const Packet& packet, const PacketOrigin& origin, std::uint64_t latency,
                                     std::uint64_t network_latency) {
    Record& record = state_.record;
    if (!jobs_.none()) jobs_.delivered(packet, origin);
    count_flow_and_class(packet, origin, latency, network_latency);
    if (!record.bytes_between.empty())
      record.bytes_between[std::size_t{packet.source} * state_.network.nodes() + packet.destination] +=
          packet.length;
    if (record.received.empty()) return;
    Received& received = record.received[packet.destination];
    ++received.packets;
    received.latency_ticks += latency;
    received.network_latency_ticks += network_latency;
  }

  void count_flow_and_class(const Packet& packet, const PacketOrigin& origin, std::uint64_t latency,
                            std::uint64_t network_latency) {
    Record& record = state_.record;
    if (flow_of_ != nullptr)
      record.flows[flow_of_->of_generator[origin.generator]].deliver(packet.length, origin.payload, latency,
                                                                     network_latency);
    if (class_of_ != nullptr) {
      const std::uint8_t service = state_.network.routes.lanes.service_of_level(packet.course.level);
      record.classes[class_of_->of_service[service]].deliver(packet.length, origin.payload, latency,
                                                             network_latency);
    }
  }

  std::uint64_t hash_of(const Packet& packet) const {
    return hash_of_delivery(packet.source, packet.destination, packet.serial, state_.wheel.now());
  }
  static std::uint64_t pair_of(NodeId source, NodeId destination) {
    return static_cast<std::uint64_t>(source) << 32 | destination;
  }
  static std::uint64_t pair_of(const Packet& packet) { return pair_of(packet.source, packet.destination); }

  void note_order(std::uint64_t pair, std::uint32_t serial) {
    std::uint32_t& expected = next_serial_.at(pair, 0);
    if (serial >= expected) {
      expected = serial + 1;
      return;
    }
    ++state_.record.counters.out_of_order;
    state_.record.disorder.add(pair);
    if (state_.network.in_order)
      throw InvariantError(fail_text(state_, "packet overtaken by a later one of its pair", serial));
  }

  static constexpr std::size_t kTold = 4096;

  State& state_;
  Jobs& jobs_;
  DeliveryListener tell_;         // or none
  std::vector<Delivery> told_;    // up to kTold that the listener has not been told
  const FlowNumbers* flow_of_;    // null: nothing is counted by flow
  const ClassNumbers* class_of_;  // null: nothing is counted by class
  bool tracks_order_;
  bool counts_parts_;  // by flow, class, destination or pair, or there are jobs
  // (source, destination) -> one past the highest serial number delivered
  FlatMap<std::uint64_t> next_serial_;
};

}  // namespace headway
