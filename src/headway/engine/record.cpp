// SPDX-License-Identifier: Apache-2.0
#include "headway/engine/record.h"

#include <cstddef>

namespace headway {
namespace {

// Adds element by element; an empty list counts as zeros.
template <class T, class Add>
void add_each(std::vector<T>& to, const std::vector<T>& from, Add&& add) {
  if (to.size() < from.size()) to.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) add(to[i], from[i]);
}

}  // namespace

void Counters::add(const Counters& other) {
  TrafficCounters::add(other);
  packets_injected += other.packets_injected;
  packet_hops += other.packet_hops;
  events += other.events;
  out_of_order += other.out_of_order;
  pauses += other.pauses;
  packets_lost += other.packets_lost;
  marks += other.marks;
  notifications += other.notifications;
  notices_generated += other.notices_generated;
  notices_delivered += other.notices_delivered;
  trace_messages += other.trace_messages;
  trace_records_skipped += other.trace_records_skipped;
}

void Record::add(const Record& other) {
  const auto sum = [](auto& to, const auto& from) { to += from; };
  const auto add = [](auto& to, const auto& from) { to.add(from); };
  counters.add(other.counters);
  disorder.pairs += other.disorder.pairs;
  disorder.most = std::max(disorder.most, other.disorder.most);
  latencies.add(other.latencies);
  add_each(flows, other.flows, add);
  add_each(classes, other.classes, add);
  trace_hash += other.trace_hash;
  add_each(bytes_to, other.bytes_to, sum);
  add_each(bytes_between, other.bytes_between, sum);
  add_each(marks_at, other.marks_at, sum);
  add_each(received, other.received, add);
  waiting_packets += other.waiting_packets;
  most_kept_messages += other.most_kept_messages;
  admittance_queues += other.admittance_queues;
  admittance_tails += other.admittance_tails;
  paused_lanes += other.paused_lanes;
  limited_flows += other.limited_flows;
  packets_in_network += other.packets_in_network;
}

}  // namespace headway
