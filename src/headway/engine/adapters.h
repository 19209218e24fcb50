// SPDX-License-Identifier: Apache-2.0
// The node side: sources generate messages, which wait in admittance queues (one per destination, created
// when first used, or one FIFO per node) until their packets find room in an injection queue
// (docs/modelling.md, "Admit").
//
// Admittance queues are touched only by nodes with a backlog; a packet that finds room goes straight in.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "headway/base/flat_map.h"
#include "headway/engine/state.h"
#include "headway/engine/workload.h"

namespace headway {

template <bool kWide>
class Adapters {
 public:
  Adapters(State& state, const Workload& workload, std::uint64_t seed);

  void start();
  // A transfer of this node's adapter has ended: its slot of `queue` is free. Phase 2.
  void on_slot_free(NodeId node, std::uint32_t queue);
  // The sources of this tick, phase 3.
  void generate(Bucket& due);

 private:
  // A message, or what is left of it: its next packet and how many there are.
  struct Message {
    Tick generated = 0;
    NodeId destination = 0;
    std::uint32_t serial = 0;   // of its next packet
    std::uint32_t packets = 0;  // left
    std::uint32_t source = 0;
    std::uint32_t next = kNone;
  };
  struct AdmittanceQueue {
    std::uint32_t first = kNone;  // messages
    std::uint32_t last = kNone;
    std::uint32_t next_in_ring = kNone;
  };
  struct Ring {
    std::uint32_t first = kNone;  // admittance queues
    std::uint32_t last = kNone;
  };
  struct Node {
    std::uint32_t next_serial = 0;
    std::uint64_t waiting_packets = 0;
    std::uint16_t next_queue = 0;  // most room: pointer among the injection queues
  };
  struct SourceState {
    Rng rng;
    Instant next = 0;
    std::uint32_t waiting_messages = 0;  // of this source, not wholly admitted
    bool stalled = false;
  };
  // Where a packet goes from its adapter.
  struct FirstHop {
    std::uint16_t output = 0;  // at the leaf switch
    std::uint32_t target = 0;  // queue of the leaf switch's port
    std::uint32_t ring = 0;    // number of the injection queue; 0 with most room
  };

  const Flow& flow_of(std::uint32_t source) const { return workload_.flows[workload_.sources[source].flow]; }
  FirstHop first_hop(NodeId node, NodeId destination, std::uint32_t serial) const;
  const Port& adapter(NodeId node) const { return state_.ports[state_.network.adapter_port(node)]; }
  Ring& ring(NodeId node, std::uint32_t number) {
    return rings_[adapter(node).first_queue - first_adapter_queue_ + number];
  }
  void run_source(std::uint32_t source);
  bool make_message(std::uint32_t source);
  void append(NodeId node, const Message& message);
  void join_ring(NodeId node, std::uint32_t queue);
  bool admit(NodeId node, std::uint32_t number);
  void admit_all(NodeId node);
  void inject(NodeId node, const Message& message, const FirstHop& hop);
  void wake_sources(NodeId node);

  State& state_;
  const Workload& workload_;
  std::vector<Node> nodes_;
  std::vector<SourceState> sources_;
  bool nodes_shared_ = false;  // several sources at one node: their order in a tick matters
  bool rings_fixed_ = true;    // a destination always waits in the same ring
  bool most_room_ = false;
  std::uint32_t first_adapter_queue_ = 0;
  std::vector<Message> messages_;
  std::uint32_t free_message_ = kNone;
  FlatMap admittance_of_;  // (node, destination) -> index, kNone: not yet used
  std::vector<AdmittanceQueue> admittance_;
  std::vector<Ring> rings_;                 // [adapter queue]
  std::vector<std::uint32_t> waker_begin_;  // [node] -> into wakers_
  std::vector<std::uint32_t> wakers_;       // sources that may go on when their node admits something
};

template <bool kWide>
Adapters<kWide>::Adapters(State& state, const Workload& workload, std::uint64_t seed)
    : state_(state), workload_(workload), nodes_(state.network.nodes()) {
  const Network& network = state.network;
  most_room_ = network.queue_map.key == QueueKey::most_room;
  rings_fixed_ = network.admittance == Admittance::per_destination &&
                 (network.in_order || network.queue_map.key != QueueKey::output);
  first_adapter_queue_ = adapter(0).first_queue;
  const Port& last = adapter(network.nodes() - 1);
  rings_.resize(last.first_queue + last.queues - first_adapter_queue_);

  std::vector<std::uint32_t> sources_at(network.nodes());
  waker_begin_.assign(network.nodes() + 1, 0);
  for (std::uint32_t s = 0; s < workload.sources.size(); ++s) {
    const Source& source = workload.sources[s];
    sources_.push_back({.rng = workload.stream(seed, s)});
    nodes_shared_ |= ++sources_at[source.node] > 1;
    const bool waits =
        workload.flows[source.flow].arrivals == nullptr || network.admittance_limit != UINT64_MAX;
    if (waits) ++waker_begin_[source.node + 1];
  }
  for (NodeId node = 0; node < network.nodes(); ++node) waker_begin_[node + 1] += waker_begin_[node];
  wakers_.resize(waker_begin_.back());
  std::vector<std::uint32_t> fill(waker_begin_.begin(), waker_begin_.end() - 1);
  for (std::uint32_t s = 0; s < workload.sources.size(); ++s) {
    const Source& source = workload.sources[s];
    if (workload.flows[source.flow].arrivals == nullptr || network.admittance_limit != UINT64_MAX)
      wakers_[fill[source.node]++] = s;
  }
}

template <bool kWide>
void Adapters<kWide>::start() {
  for (std::uint32_t s = 0; s < sources_.size(); ++s) {
    const Flow& flow = flow_of(s);
    if (flow.arrivals == nullptr) {
      state_.wheel.schedule_timer(flow.start, s);
    } else {
      sources_[s].next = flow.arrivals->first(sources_[s].rng);
      if (sources_[s].next != kNever) state_.wheel.schedule_timer(tick_of(sources_[s].next), s);
    }
  }
}

template <bool kWide>
void Adapters<kWide>::on_slot_free(NodeId node, std::uint32_t queue) {
  ++state_.credits[queue];
  if (nodes_[node].waiting_packets == 0) return;
  const bool moved = admit(node, most_room_ ? 0 : queue - adapter(node).first_queue);
  if (!moved) return;
  if (!rings_fixed_) admit_all(node);
  wake_sources(node);
}

template <bool kWide>
void Adapters<kWide>::wake_sources(NodeId node) {
  for (std::uint32_t w = waker_begin_[node]; w < waker_begin_[node + 1]; ++w) {
    const std::uint32_t s = wakers_[w];
    if (sources_[s].stalled || flow_of(s).arrivals == nullptr)
      state_.wheel.schedule(EventKind::generate, state_.wheel.now(), s);
  }
}

template <bool kWide>
void Adapters<kWide>::generate(Bucket& due) {
  if (nodes_shared_) std::sort(due.begin(), due.end(), [](Event x, Event y) { return x.a < y.a; });
  for (const Event event : due) run_source(event.a);
}

template <bool kWide>
void Adapters<kWide>::run_source(std::uint32_t source) {
  SourceState& state = sources_[source];
  const Flow& flow = flow_of(source);
  const Tick now = state_.wheel.now();
  Node& node = nodes_[workload_.sources[source].node];
  const auto fits_limit = [&] {
    return node.waiting_packets + flow.packets <= state_.network.admittance_limit;
  };
  if (flow.arrivals == nullptr) {
    if (now < flow.start || now >= flow.stop) return;
    while (state.waiting_messages < flow.backlog && fits_limit() && make_message(source)) continue;
    return;
  }
  do {
    if (!fits_limit()) {
      state.stalled = true;
      return;
    }
    if (!make_message(source)) return;
    state.next = flow.arrivals->next(state.stalled ? instant_of(now) : state.next, state.rng);
    state.stalled = false;
    if (state.next == kNever) return;
  } while (tick_of(state.next) <= now);
  state_.wheel.schedule_timer(tick_of(state.next), source);
}

template <bool kWide>
bool Adapters<kWide>::make_message(std::uint32_t source) {
  const NodeId at = workload_.sources[source].node;
  const Flow& flow = flow_of(source);
  const NodeId destination = flow.destinations->next(at, sources_[source].rng);
  if (destination == kNone) return false;
  Node& node = nodes_[at];
  const Message message{state_.wheel.now(), destination, node.next_serial, flow.packets, source, kNone};
  node.next_serial += flow.packets;
  Counters& counters = state_.record.counters;
  counters.packets_generated += flow.packets;
  counters.bytes_generated +=
      static_cast<std::uint64_t>(flow.packets - 1) * state_.network.packet_bytes + flow.last_bytes;

  if (flow.packets == 1) {
    const FirstHop hop = first_hop(at, destination, message.serial);
    const bool first_in_line =
        node.waiting_packets == 0 || (rings_fixed_ && ring(at, hop.ring).first == kNone);
    if (first_in_line && state_.has_room(adapter(at).first_queue + hop.ring)) {
      inject(at, message, hop);
      return true;
    }
  }
  append(at, message);
  return true;
}

template <bool kWide>
auto Adapters<kWide>::first_hop(NodeId node, NodeId destination, std::uint32_t serial) const -> FirstHop {
  const Network& network = state_.network;
  const PortId leaf_port = adapter(node).peer;
  const Port& leaf = state_.ports[leaf_port];
  FirstHop hop;
  hop.output = network.output_at(leaf.owner, destination, [&] { return state_.salt(node, serial); });
  hop.ring = network.queue_at(leaf_port, hop.output, destination);
  hop.target = leaf.first_queue + hop.ring;
  return hop;
}

// The message waits in its admittance queue; then whatever can move is admitted.
template <bool kWide>
void Adapters<kWide>::append(NodeId at, const Message& message) {
  std::uint32_t id = free_message_;
  if (id == kNone) {
    id = static_cast<std::uint32_t>(messages_.size());
    messages_.emplace_back();
  } else {
    free_message_ = messages_[id].next;
  }
  messages_[id] = message;
  Node& node = nodes_[at];
  ++sources_[message.source].waiting_messages;
  node.waiting_packets += message.packets;
  state_.record.waiting_packets += message.packets;

  const bool fifo = state_.network.admittance == Admittance::fifo;
  std::uint32_t& queue =
      admittance_of_.at(static_cast<std::uint64_t>(at) << 32 | (fifo ? 0 : message.destination), kNone);
  if (queue == kNone) {
    queue = static_cast<std::uint32_t>(admittance_.size());
    admittance_.emplace_back();
  }
  AdmittanceQueue& waiting = admittance_[queue];
  if (waiting.first != kNone) {
    messages_[waiting.last].next = id;
    waiting.last = id;
    return;  // behind others: nothing new can move
  }
  waiting.first = waiting.last = id;
  join_ring(at, queue);
  admit_all(at);
}

template <bool kWide>
void Adapters<kWide>::join_ring(NodeId node, std::uint32_t queue) {
  const Message& head = messages_[admittance_[queue].first];
  Ring& its = ring(node, first_hop(node, head.destination, head.serial).ring);
  admittance_[queue].next_in_ring = kNone;
  if (its.first == kNone)
    its.first = queue;
  else
    admittance_[its.last].next_in_ring = queue;
  its.last = queue;
}

// Serves one ring until it is empty or its injection queue full. Did anything move?
template <bool kWide>
bool Adapters<kWide>::admit(NodeId at, std::uint32_t number) {
  Ring& its = ring(at, number);
  Node& node = nodes_[at];
  bool moved = false;
  while (its.first != kNone && state_.has_room(adapter(at).first_queue + number)) {
    const std::uint32_t queue = its.first;
    AdmittanceQueue& waiting = admittance_[queue];
    its.first = waiting.next_in_ring;
    const std::uint32_t id = waiting.first;
    Message& message = messages_[id];
    inject(at, message, first_hop(at, message.destination, message.serial));
    moved = true;
    ++message.serial;
    --node.waiting_packets;
    --state_.record.waiting_packets;
    if (--message.packets == 0) {
      --sources_[message.source].waiting_messages;
      waiting.first = message.next;
      message.next = free_message_;
      free_message_ = id;
    }
    if (waiting.first != kNone) join_ring(at, queue);
  }
  return moved;
}

template <bool kWide>
void Adapters<kWide>::admit_all(NodeId node) {
  const std::uint32_t rings_here = most_room_ ? 1 : adapter(node).queues;
  for (bool moved = true; moved;) {
    moved = false;
    for (std::uint32_t number = 0; number < rings_here; ++number) moved |= admit(node, number);
  }
}

template <bool kWide>
void Adapters<kWide>::inject(NodeId at, const Message& message, const FirstHop& hop) {
  const Port& port = adapter(at);
  const PacketId id = state_.packets.allocate();
  Packet& packet = state_.packets[id];
  packet.generated = message.generated;
  packet.ready = state_.wheel.now();
  packet.source = at;
  packet.destination = message.destination;
  packet.serial = message.serial;
  packet.queue =
      most_room_ ? state_.most_room(port.first_queue, nodes_[at].next_queue) : port.first_queue + hop.ring;
  packet.port = state_.network.adapter_port(at);
  packet.output = 0;
  packet.next_output = hop.output;
  packet.target = hop.target;
  packet.length = static_cast<std::uint16_t>(message.packets == 1 ? flow_of(message.source).last_bytes
                                                                  : state_.network.packet_bytes);
  --state_.credits[packet.queue];
  ++state_.record.packets_in_network;
  state_.enqueue<kWide>(id);
}

}  // namespace headway
