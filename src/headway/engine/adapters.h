// SPDX-License-Identifier: Apache-2.0
// The node side: sources generate messages, which wait in admittance queues (one per destination, created
// when first used, or one FIFO per node) until their packets find room in an injection queue
// (docs/modelling.md, "Admit").
//
// Only nodes with a backlog use admittance queues; other packets enter the injection queue at once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "headway/base/block_vector.h"
#include "headway/base/fetch.h"
#include "headway/base/flat_map.h"
#include "headway/engine/backlog.h"
#include "headway/engine/requests.h"
#include "headway/engine/shape.h"
#include "headway/engine/state.h"
#include "headway/engine/workload.h"

namespace headway {

template <EngineShape kShape>
class Adapters {
 public:
  // Throws BacklogTooLarge if the waiting messages need more than `backlog_limit` bytes.
  Adapters(State& state, const Workload& workload, std::uint64_t seed, std::uint64_t backlog_limit);

  void start();
  // A transfer of this node's adapter has ended, so a slot of `queue` is free. Phase 2.
  void on_slot_free(NodeId node, std::uint32_t queue);
  // With isolation: notifications have reached this node's adapter. Phase 2.
  void on_notifications(NodeId node);
  // Generates the messages of this tick's sources. Phase 3.
  void generate(Bucket& due);

 private:
  struct alignas(64) SourceState {
    Rng rng;
    Instant next = 0;
    const Flow* flow = nullptr;
    NodeId node = 0;
    std::uint32_t waiting_messages = 0;  // messages of this source that are not completely admitted
    std::uint32_t packets = 1;           // of the next message
    std::uint16_t last_bytes = 0;        // of its last packet
    bool stalled = false;
  };
  // One pass over a trace. Traces are numbered as sources, after the sources of the flows.
  struct TraceState {
    std::unique_ptr<MessageCursor> cursor;
    std::optional<TimedMessage> next;
  };
  struct NextHop : State::NextHop {
    Course course;
  };
  using Node = AdmittanceState::Node;

  // Of a packet of a source.
  [[gnu::always_inline]] NextHop first_hop(std::uint32_t source, NodeId node, NodeId destination,
                                           std::uint32_t serial) const {
    const PortId port = state_.network.adapter_port(node);
    if (!kShape.has_lanes(state_.network)) return {state_.look_ahead(port, node, destination, serial), {}};
    const std::uint8_t service = service_of(source, node, destination);
    Course course = state_.first_course(node, destination, serial, service);
    if (state_.network.choices)
      return {{kNone, state_.queue_behind(port, node, destination, state_.network.lane_of_choices(service))},
              course};
    return {state_.look_ahead(port, node, destination, serial, course), course};
  }
  // The service level of its messages to a destination: the source's own, or that of the pair.
  std::uint8_t service_of(std::uint32_t source, NodeId node, NodeId destination) const {
    if (const auto own = workload_.service_of(source)) return *own;
    return state_.network.lane_rules.service_of(node, destination);
  }
  // The key of an admittance queue. Messages of different service levels are in different ones, so that they
  // do not wait for each other.
  NodeId line_of(std::uint32_t source, NodeId node, NodeId destination) const {
    if (state_.network.admittance == Admittance::fifo) return 0;
    if (!kShape.has_lanes(state_.network)) return destination;
    return destination * state_.network.lane_rules.services() + service_of(source, node, destination);
  }
  // The number of the first injection queue for packets that will enter `target` at the leaf switch.
  std::uint32_t injection_queue_of(NodeId node, std::uint32_t target) const {
    return target - adapter(node).next_first_queue;
  }
  const PortState& adapter(NodeId node) const { return state_.ports[state_.network.adapter_port(node)]; }
  ActiveList& active(NodeId node, std::uint32_t number) {
    return waits_.active[adapter(node).first_queue - waits_.first_adapter_queue + number];
  }
  void run_source(std::uint32_t source);
  void draw_size(SourceState& source) const;
  void run_trace(std::uint32_t id);
  [[gnu::always_inline]] inline void make_message(std::uint32_t source, NodeId at, NodeId destination,
                                                  std::uint32_t packets, std::uint32_t last_bytes);
  void append(NodeId node, const Message& message);
  void expect_memory() const;
  std::uint32_t injection_queue_at_head(NodeId node, const AdmittanceQueue& waiting) const;
  void join(ActiveList& list, std::uint32_t queue);
  bool admit(NodeId node, std::uint32_t number);
  void admit_all(NodeId node);
  [[gnu::always_inline]] inline void inject(NodeId node, const Message& message, const NextHop& hop);
  void wake_sources(NodeId node);
  bool isolates() const { return kShape.has_isolation(state_.network); }
  bool is_pooled() const { return kShape.has_pools(state_.network); }
  // With isolation: returns true if packets for this destination must wait at the node now.
  bool is_refused(NodeId node, NodeId destination) const {
    return isolates() && state_.isolation->refuses(state_.network.adapter_port(node), destination);
  }

  State& state_;
  AdmittanceState& waits_ = state_.admittance;
  const Workload& workload_;
  HugeVector<SourceState> sources_;  // sources of the flows, then one per trace
  std::vector<TraceState> traces_;
  std::uint32_t first_trace_ = 0;
  bool nodes_shared_ = false;   // a node has several sources, so their order within a tick matters
  bool queue_fixed_ = true;     // all packets for a destination wait for the same injection queue
  std::uint32_t channels_ = 1;  // injection queues per group
  std::uint64_t backlog_limit_;
  static constexpr std::size_t kLookedAtEvery = 1 << 14;  // messages, queues
  std::vector<std::uint32_t> waker_begin_;                // [node] -> into wakers_
  std::vector<std::uint32_t> wakers_;  // sources that can continue when their node admits a packet
};

template <EngineShape kShape>
Adapters<kShape>::Adapters(State& state, const Workload& workload, std::uint64_t seed,
                           std::uint64_t backlog_limit)
    : state_(state), workload_(workload), backlog_limit_(std::min(backlog_limit, kMostBacklogBytes)) {
  const Network& network = state.network;
  waits_.nodes.resize(network.nodes());
  channels_ = network.queue_map.channels;
  queue_fixed_ = network.admittance == Admittance::per_destination &&
                 (network.in_order || !network.queue_map.uses_output());
  waits_.first_adapter_queue = adapter(0).first_queue;
  const Port& last = network.ports[network.adapter_port(network.nodes() - 1)];
  waits_.active.resize(last.first_queue + last.queues - waits_.first_adapter_queue);
  if (isolates()) waits_.aside.resize(network.nodes());

  std::vector<std::uint32_t> sources_at(network.nodes());
  waker_begin_.assign(network.nodes() + 1, 0);
  for (std::uint32_t s = 0; s < workload.sources.size(); ++s) {
    const Source& source = workload.sources[s];
    const Flow& flow = workload.flows[source.flow];
    sources_.push_back({.rng = workload.stream(seed, s),
                        .flow = &flow,
                        .node = source.node,
                        .packets = flow.packets,
                        .last_bytes = static_cast<std::uint16_t>(flow.last_bytes)});
    nodes_shared_ |= ++sources_at[source.node] > 1;
    const bool waits =
        workload.flows[source.flow].arrivals == nullptr || network.admittance_limit != UINT64_MAX;
    if (waits) ++waker_begin_[source.node + 1];
  }
  first_trace_ = static_cast<std::uint32_t>(workload.sources.size());
  for (const Trace& trace : workload.traces) {
    traces_.push_back({trace.messages->open(), std::nullopt});
    sources_.push_back({});
    nodes_shared_ = true;
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

template <EngineShape kShape>
void Adapters<kShape>::start() {
  for (std::uint32_t s = 0; s < first_trace_; ++s) {
    const Flow& flow = *sources_[s].flow;
    if (flow.arrivals == nullptr) {
      state_.wheel.schedule_timer(flow.start, s);
    } else {
      sources_[s].next = flow.arrivals->first(sources_[s].rng);
      if (sources_[s].next != kNever) state_.wheel.schedule_timer(tick_of(sources_[s].next), s);
    }
    draw_size(sources_[s]);
  }
  for (std::uint32_t t = 0; t < traces_.size(); ++t) {
    traces_[t].next = traces_[t].cursor->next();
    if (traces_[t].next) state_.wheel.schedule_timer(traces_[t].next->tick, first_trace_ + t);
  }
}

template <EngineShape kShape>
void Adapters<kShape>::on_slot_free(NodeId node, std::uint32_t queue) {
  state_.flow.give_back(queue);
  if (waits_.nodes[node].waiting_packets == 0) return;
  std::uint32_t number = queue - adapter(node).first_queue;
  if (channels_ > 1) number -= number % channels_;
  const bool moved = admit(node, number);
  if (!moved) return;
  if (!queue_fixed_) admit_all(node);
  wake_sources(node);
}

template <EngineShape kShape>
void Adapters<kShape>::on_notifications(NodeId node) {
  ActiveList& its = active(node, 0);
  for (std::uint32_t queue = waits_.aside[node].first; queue != kNone;) {
    const std::uint32_t next = waits_.queues[queue].next_active;
    join(its, queue);
    queue = next;
  }
  waits_.aside[node] = {};
  if (admit(node, 0)) wake_sources(node);
}

template <EngineShape kShape>
void Adapters<kShape>::wake_sources(NodeId node) {
  for (std::uint32_t w = waker_begin_[node]; w < waker_begin_[node + 1]; ++w) {
    const std::uint32_t s = wakers_[w];
    if (sources_[s].stalled || sources_[s].flow->arrivals == nullptr)
      state_.wheel.schedule(EventKind::generate, state_.wheel.now(), s);
  }
}

template <EngineShape kShape>
void Adapters<kShape>::generate(Bucket& due) {
  if (nodes_shared_) std::sort(due.begin(), due.end(), [](Event x, Event y) { return x.a < y.a; });
  due.for_each([&](Event event) { event.a < first_trace_ ? run_source(event.a) : run_trace(event.a); },
               [&](Event event) { fetch(&sources_[event.a]); },
               [&](Event event) {
                 const NodeId node = sources_[event.a].node;
                 fetch(&waits_.nodes[node]);
                 fetch(&adapter(node));
               },
               [&](Event event) {
                 const std::uint32_t queue = adapter(sources_[event.a].node).first_queue;
                 state_.flow.fetch(queue);
                 fetch(&state_.queues[queue]);
               });
}

template <EngineShape kShape>
void Adapters<kShape>::draw_size(SourceState& source) const {
  if (source.flow->sizes == nullptr) return;
  const std::uint64_t full = state_.network.packet_bytes;
  const std::uint64_t bytes = source.flow->sizes->next(source.rng);
  const std::uint64_t before_last = (bytes - 1) / full;
  source.packets = static_cast<std::uint32_t>(before_last) + 1;
  source.last_bytes = static_cast<std::uint16_t>(bytes - before_last * full);
}

template <EngineShape kShape>
void Adapters<kShape>::run_source(std::uint32_t id) {
  SourceState& source = sources_[id];
  const Flow& flow = *source.flow;
  const Tick now = state_.wheel.now();
  const Node& node = waits_.nodes[source.node];
  const auto fits_limit = [&] {
    return node.waiting_packets + source.packets <= state_.network.admittance_limit;
  };
  if (flow.arrivals == nullptr) {
    if (now < flow.start || now >= flow.stop) return;
    while (source.waiting_messages < flow.backlog && fits_limit()) {
      const NodeId destination = flow.destinations->next(source.node, source.rng);
      if (destination == kNone) return;
      make_message(id, source.node, destination, source.packets, source.last_bytes);
      draw_size(source);
    }
    return;
  }
  // with isolation, a node can wake its sources twice in a tick: for a notification and for a free slot
  if (isolates() && !source.stalled && tick_of(source.next) > now) return;
  do {
    if (!fits_limit()) {
      source.stalled = true;
      return;
    }
    const NodeId destination = flow.destinations->next(source.node, source.rng);
    if (destination == kNone) return;
    if (node.waiting_packets > 0) node.queue_of.fetch(line_of(id, source.node, destination));
    source.next = flow.arrivals->next(source.stalled ? instant_of(now) : source.next, source.rng);
    source.stalled = false;
    make_message(id, source.node, destination, source.packets, source.last_bytes);
    draw_size(source);
    if (source.next == kNever) return;
  } while (tick_of(source.next) <= now);
  state_.wheel.schedule_timer(tick_of(source.next), id);
}

// Generates all due messages of a trace; the rest stays in the file.
template <EngineShape kShape>
void Adapters<kShape>::run_trace(std::uint32_t id) {
  TraceState& trace = traces_[id - first_trace_];
  const std::uint64_t full = state_.network.packet_bytes;
  for (; trace.next && trace.next->tick <= state_.wheel.now(); trace.next = trace.cursor->next()) {
    const std::uint64_t before_last = (trace.next->bytes - 1) / full;
    make_message(id, trace.next->source, trace.next->destination, static_cast<std::uint32_t>(before_last) + 1,
                 static_cast<std::uint32_t>(trace.next->bytes - before_last * full));
    ++state_.record.counters.trace_messages;
  }
  if (trace.next) state_.wheel.schedule_timer(trace.next->tick, id);
  std::uint64_t skipped = 0;
  for (const TraceState& each : traces_) skipped += each.cursor->skipped_records();
  state_.record.counters.trace_records_skipped = skipped;
}

template <EngineShape kShape>
void Adapters<kShape>::make_message(std::uint32_t source, NodeId at, NodeId destination,
                                    std::uint32_t packets, std::uint32_t last_bytes) {
  Node& node = waits_.nodes[at];
  const Message message{state_.wheel.now(),
                        destination,
                        node.next_serial,
                        packets,
                        source,
                        kNone,
                        static_cast<std::uint16_t>(last_bytes)};
  node.next_serial += packets;
  Counters& counters = state_.record.counters;
  counters.packets_generated += packets;
  counters.bytes_generated +=
      static_cast<std::uint64_t>(packets - 1) * state_.network.packet_bytes + last_bytes;

  if (packets == 1) {
    const NextHop hop = first_hop(source, at, destination, message.serial);
    const std::uint32_t number = injection_queue_of(at, hop.target);
    const bool first_in_line =
        node.waiting_packets == 0 || (queue_fixed_ && active(at, number).first == kNone);
    if (first_in_line && !is_refused(at, destination) &&
        state_.flow.has_room(adapter(at).first_queue + number, channels_)) {
      inject(at, message, hop);
      return;
    }
  }
  append(at, message);
}

// Adds the message to its admittance queue, then admits whatever can move.
template <EngineShape kShape>
void Adapters<kShape>::append(NodeId at, const Message& message) {
  std::uint32_t id = waits_.free_message;
  if (id == kNone) {
    if (waits_.messages.size() % kLookedAtEvery == 0) expect_memory();
    id = static_cast<std::uint32_t>(waits_.messages.size());
    waits_.messages.emplace_back();
    state_.record.most_waiting_messages = waits_.messages.size();
  } else {
    waits_.free_message = waits_.messages[id].next;
  }
  waits_.messages[id] = message;
  Node& node = waits_.nodes[at];
  ++sources_[message.source].waiting_messages;
  node.waiting_packets += message.packets;
  state_.record.waiting_packets += message.packets;

  std::uint32_t& queue = node.queue_of.at(line_of(message.source, at, message.destination), kNone);
  if (queue == kNone) {
    if (waits_.queues.size() % kLookedAtEvery == 0) expect_memory();
    queue = static_cast<std::uint32_t>(waits_.queues.size());
    waits_.queues.emplace_back();
    if (state_.network.admittance != Admittance::fifo) waits_.queues[queue].destination = message.destination;
    state_.record.admittance_queues = waits_.queues.size();
  }
  AdmittanceQueue& waiting = waits_.queues[queue];
  waiting.packets += message.packets;
  if (waiting.first != kNone) {
    waits_.messages[waiting.last].next = id;
    waiting.last = id;
    return;  // it is behind other messages, so nothing new can move
  }
  waiting.first = waiting.last = id;
  const std::uint32_t number = injection_queue_at_head(at, waiting);
  const bool alone = active(at, number).first == kNone;
  join(active(at, number), queue);
  if (!alone) return;  // its injection queue is full in this case
  if (queue_fixed_)
    admit(at, number);
  else
    admit_all(at);
}

// Checks the limit before the number of messages or queues grows.
template <EngineShape kShape>
void Adapters<kShape>::expect_memory() const {
  if (backlog_bytes(waits_.messages.size(), waits_.queues.size()) > backlog_limit_)
    throw BacklogTooLarge(state_.wheel.now(), waits_.messages.size());
}

// The number of the injection queue that the first waiting packet will use.
template <EngineShape kShape>
std::uint32_t Adapters<kShape>::injection_queue_at_head(NodeId node, const AdmittanceQueue& waiting) const {
  const Message& head = waits_.messages[waiting.first];
  return injection_queue_of(node, first_hop(head.source, node, head.destination, head.serial).target);
}

template <EngineShape kShape>
void Adapters<kShape>::join(ActiveList& its, std::uint32_t queue) {
  waits_.queues[queue].next_active = kNone;
  if (its.first == kNone)
    its.first = queue;
  else
    waits_.queues[its.last].next_active = queue;
  its.last = queue;
}

// Serves the active list of an injection queue until it is empty or the queue is full. Returns true if
// anything moved.
template <EngineShape kShape>
bool Adapters<kShape>::admit(NodeId at, std::uint32_t number) {
  ActiveList& its = active(at, number);
  Node& node = waits_.nodes[at];
  bool moved = false;
  while (its.first != kNone && state_.flow.has_room(adapter(at).first_queue + number, channels_)) {
    const std::uint32_t queue = its.first;
    AdmittanceQueue& waiting = waits_.queues[queue];
    its.first = waiting.next_active;
    const std::uint32_t id = waiting.first;
    Message& message = waits_.messages[id];
    if (is_refused(at, message.destination)) {
      join(waits_.aside[at], queue);
      continue;
    }
    inject(at, message, first_hop(message.source, at, message.destination, message.serial));
    moved = true;
    ++message.serial;
    --waiting.packets;
    --node.waiting_packets;
    --state_.record.waiting_packets;
    if (--message.packets == 0) {
      --sources_[message.source].waiting_messages;
      waiting.first = message.next;
      message.next = waits_.free_message;
      waits_.free_message = id;
    }
    if (waiting.first != kNone)
      join(queue_fixed_ ? its : active(at, injection_queue_at_head(at, waiting)), queue);
  }
  if (its.first != kNone) fetch(&waits_.messages[waits_.queues[its.first].first]);
  return moved;
}

template <EngineShape kShape>
void Adapters<kShape>::admit_all(NodeId node) {
  const std::uint32_t queues =
      is_pooled() ? 1 : state_.network.ports[state_.network.adapter_port(node)].queues;
  for (bool moved = true; moved;) {
    moved = false;
    for (std::uint32_t number = 0; number < queues; number += channels_) moved |= admit(node, number);
  }
}

template <EngineShape kShape>
void Adapters<kShape>::inject(NodeId at, const Message& message, const NextHop& hop) {
  const PortState& port = adapter(at);
  const PacketId id = state_.packets.allocate();
  Packet& packet = state_.packets[id];
  packet.ready = state_.wheel.now();
  state_.packets.times(id) = {.generated = message.generated, .injected = packet.ready};
  packet.source = at;
  packet.destination = message.destination;
  packet.serial = message.serial;
  packet.queue = port.first_queue + injection_queue_of(at, hop.target);
  if (channels_ > 1) packet.queue = state_.flow.choose_channel(packet.queue, waits_.nodes[at].next_queue);
  packet.input = 0;
  packet.output = state_.network.adapter_port(at);
  packet.next_output = hop.output;
  packet.target = hop.target;
  if (kShape.has_lanes(state_.network)) packet.course = hop.course;
  packet.length =
      static_cast<std::uint16_t>(message.packets == 1 ? message.last_bytes : state_.network.packet_bytes);
  state_.flow.take(packet.queue);
  ++state_.record.packets_in_network;
  enqueue<kShape>(state_, id, state_.touched_adapters);
  if (is_pooled()) state_.unsettled.add(state_.network.adapter_port(at), false);
}

}  // namespace headway
