// SPDX-License-Identifier: Apache-2.0
// Records deliveries: counters, latencies, the delivery hash, and the order of every pair's packets.
#pragma once

#include <cstdint>

#include "headway/base/flat_map.h"
#include "headway/engine/inspect.h"
#include "headway/engine/simulation.h"
#include "headway/engine/state.h"

namespace headway {

class Deliveries {
 public:
  Deliveries(State& state, const SimulationOptions& options)
      : state_(state),
        list_(options.deliveries),
        tracks_order_(!state.network.in_order || options.check),
        counts_parts_(options.count_pairs || options.count_received) {
    const std::size_t nodes = state.network.nodes();
    if (options.count_pairs) state.record.bytes_between.resize(nodes * nodes);
    if (options.count_received) state.record.received.resize(nodes);
  }

  // The tail of the packet has reached its destination; frees the packet.
  void deliver(PacketId id) {
    const Packet& packet = state_.packets[id];
    const PacketOrigin& origin = state_.packets.origin(id);
    const Tick now = state_.wheel.now();
    Record& record = state_.record;
    const auto latency = static_cast<std::uint64_t>(now - origin.generated);
    const auto network_latency = static_cast<std::uint64_t>(now - origin.injected);
    ++record.counters.packets_delivered;
    record.counters.bytes_delivered += packet.length;
    record.counters.latency_ticks += latency;
    record.counters.network_latency_ticks += network_latency;
    record.latency.add(latency);
    record.network_latency.add(network_latency);
    record.bytes_to[packet.destination] += packet.length;
    if (counts_parts_) count_parts(packet, latency, network_latency);
    // a sum, so that the order of deliveries within a tick does not matter
    const std::uint64_t pair = pair_of(packet);
    record.trace_hash += mix64(pair * 0x9e3779b97f4a7c15ULL + packet.serial * 0xd1342543de82ef95ULL +
                               static_cast<std::uint64_t>(now) * 0xaf251af3b0f025b5ULL);
    if (tracks_order_) note_order(pair, packet.serial);
    if (list_ != nullptr) list(packet, origin);
    --record.packets_in_network;
    state_.packets.release(id);
  }

  // Prefetches for the delivery of a packet.
  void fetch(PacketId id) const {
    if (tracks_order_) next_serial_.fetch(pair_of(state_.packets[id]));
  }

 private:
  [[gnu::noinline]] void list(const Packet& packet, const PacketOrigin& origin) {
    list_->push_back({packet.source, packet.destination, packet.serial, state_.wheel.now(), origin.generator,
                      origin.message, origin.packets, origin.generated, origin.injected});
  }

  // Counts for the tables per destination and per pair.
  [[gnu::noinline]] void count_parts(const Packet& packet, std::uint64_t latency,
                                     std::uint64_t network_latency) {
    Record& record = state_.record;
    if (!record.bytes_between.empty())
      record.bytes_between[std::size_t{packet.source} * state_.network.nodes() + packet.destination] +=
          packet.length;
    if (record.received.empty()) return;
    Received& received = record.received[packet.destination];
    ++received.packets;
    received.latency_ticks += latency;
    received.network_latency_ticks += network_latency;
  }

  static std::uint64_t pair_of(const Packet& packet) {
    return static_cast<std::uint64_t>(packet.source) << 32 | packet.destination;
  }

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

  State& state_;
  std::vector<Delivery>* list_;  // receives all deliveries, or null
  bool tracks_order_;
  bool counts_parts_;  // per destination or per pair
  // (source, destination) -> one past the highest serial number delivered
  FlatMap<std::uint64_t> next_serial_;
};

}  // namespace headway
