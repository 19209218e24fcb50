// SPDX-License-Identifier: Apache-2.0
// The node side: sources generate messages, which wait in admittance queues (one per destination, created
// when first used, or one FIFO per node) until their packets find room in an injection queue
// (docs/modelling.md, "Admit").
//
// Only nodes with a backlog use admittance queues; other packets enter the injection queue at once.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "headway/base/block_vector.h"
#include "headway/base/fetch.h"
#include "headway/base/flat_map.h"
#include "headway/engine/backlog.h"
#include "headway/engine/generators.h"
#include "headway/engine/next_hop.h"
#include "headway/engine/requests.h"
#include "headway/engine/shape.h"
#include "headway/engine/tails.h"

namespace headway {

template <EngineShape kShape>
class Adapters : public Generators {
 public:
  using Generators::Generators;

  // A transfer of this node's adapter has ended, so memory of an injection queue is free. Phase 2.
  void on_room(NodeId node, FreedRoom<kShape.may_have_cells()> room);
  // With isolation: signals have reached this node's adapter. Phase 2.
  void on_signals(NodeId node);
  // Congestion control: a packet is delivered, and its destination may notify its source. Phase 1.
  void note_delivery(PacketId id);
  // Notifications reach sources, timers run out, and gates open. Begins phase 3.
  void open_gates();
  // Generates the messages of this tick's sources. Phase 3.
  void generate(Bucket& due);
  // What jobs have planned.
  void make_planned();
  // Admits what there is room for in an injection queue.
  void admit_rest(NodeId node, std::uint32_t number) { admit(node, number); }
  // New routes hold, which can lead to other injection queues.
  void follow_routes();
  // Then the notifications of this tick that travel as packets.
  void send_notices();

 private:
  struct FirstHop : NextHop {
    Course course;
  };
  using Node = AdmittanceState::Node;

  // What the next packet of a message, of which `begun` have moved, draws paths by.
  std::uint32_t drawn_by(const Message& message, std::uint32_t begun) const {
    if constexpr (!kShape.may_have_ends()) return message.serial;
    return state_.network.drawn_by(message.serial, message.serial - begun);
  }
  // The next hop of a source's packet behind the adapter, and its course there. `serial`: what it draws by.
  [[gnu::always_inline]] FirstHop first_hop(std::uint32_t source, NodeId node, NodeId destination,
                                            std::uint32_t serial) const {
    const PortId port = state_.network.adapter_port(node);
    if (!kShape.has_lanes(state_.network))
      return {look_ahead<kShape.may_have_ends()>(state_, port, node, destination, serial), {}};
    const std::uint8_t service = service_of(state_, source, node, destination);
    Course course = first_course(state_, node, destination, serial, service);
    if (state_.network.routes.choices)
      return {{kNone, queue_behind(state_, port, node, destination, state_.network.lane_of_choices(service))},
              course};
    return {look_ahead<kShape.may_have_ends()>(state_, port, node, destination, serial, course), course};
  }
  // The number of the first injection queue for packets that will enter `target` at the leaf switch.
  std::uint32_t injection_queue_of(NodeId node, std::uint32_t target) const {
    return target - adapter(node).next_first_queue;
  }
  ActiveList& active(NodeId node, std::uint32_t number) {
    return waits_.active[adapter(node).first_queue - waits_.first_adapter_queue + number];
  }
  // Nodes of the spec have several links.
  bool has_hosts() const { return kShape.may_have_rare() && state_.network.has_hosts(); }
  // Makes two nodes with several links, which any of their links stand for, the links that a message takes.
  [[gnu::always_inline]] void choose_links(NodeId& from, NodeId& to) {
    if (has_hosts()) choose_way(from, to);
  }
  // The node of a source: of one with several links, the first.
  NodeId home_of(NodeId node) const {
    return has_hosts() ? state_.network.graph.hosts().home_of(node) : node;
  }
  // What waits at the node of a source for admission: with cells in cells, otherwise in packets.
  std::uint64_t waiting_at(NodeId home) const {
    const auto at = [&](NodeId node) {
      return kShape.may_have_cells() ? waits_.nodes[node].waiting_cells : waits_.nodes[node].waiting_packets;
    };
    std::uint64_t waiting = at(home);
    if (has_hosts())
      for (NodeId node = home + 1; node < state_.network.nodes() && home_of(node) == home; ++node)
        waiting += at(node);
    return waiting;
  }
  void run_source(std::uint32_t source);
  void run_trace(std::uint32_t id);
  void run_job(std::uint32_t id);
  [[gnu::always_inline]] inline void make_message(std::uint32_t source, NodeId at, NodeId destination,
                                                  const PacketsOfMessage& cut);
  // The same, out of line, for what makes fewer messages than sources do.
  [[gnu::noinline]] void make_apart(std::uint32_t generator, NodeId at, NodeId destination,
                                    const PacketsOfMessage& cut) {
    make_message(generator, at, destination, cut);
  }
  void append(NodeId node, const Message& message);
  std::uint32_t injection_queue_at_head(NodeId node, const AdmittanceQueue& waiting) const;
  template <bool kOnce = false>
  bool admit(NodeId node, std::uint32_t number);
  void admit_all(NodeId node);
  void join_again(NodeId node);
  // Moves the next packet of a message, of which `begun` have moved, to its injection queue.
  [[gnu::always_inline]] inline void inject(NodeId node, const Message& message, std::uint32_t begun,
                                            const FirstHop& hop);
  void wake_sources(NodeId node);
  // The cells of a message.
  std::uint64_t cells_of(const PacketsOfMessage& cut) const {
    return std::uint64_t{cut.packets - 1} * state_.packet_credits +
           state_.network.cells_of(framing_.frame(cut.last));
  }
  // What the next packet of a message carries, and its length.
  std::uint32_t next_payload(const Message& message) const {
    return message.packets == 1 ? message.last_bytes : framing_.payload;
  }
  std::uint32_t next_bytes(const Message& message) const { return framing_.frame(next_payload(message)); }
  // The credits that it takes.
  std::uint32_t next_credits(const Message& message) const {
    return kShape.may_have_cells() ? state_.network.cells_of(next_bytes(message)) : 1;
  }
  // Returns true if an injection queue has room for the first packet of its active list, which is not empty.
  bool admits_first(NodeId node, std::uint32_t number, const ActiveList& list) {
    const std::uint32_t queue = adapter(node).first_queue + number;
    if constexpr (!kShape.may_have_cells()) return state_.flow.has_room(queue, channels_);
    return state_.flow.has_room(queue, channels_,
                                next_credits(waits_.messages[waits_.queues[list.first].first]));
  }
  // Sources may have to slow down.
  bool limits() const { return kShape.may_have_ends() && state_.network.reaction.has_value(); }
  bool is_held(std::uint32_t source, NodeId node, NodeId destination, std::uint32_t bytes) const {
    return limits() && source != state_.notifier && gates_.is_closed(source, node, destination, bytes);
  }
  // A notification is not held, but it does not pass held packets of its level to the same destination.
  bool waits_behind(std::uint32_t source, NodeId node, NodeId destination) const {
    if (!limits() || source != state_.notifier) return false;
    const NodeId key = admittance_key(state_, source, node, destination);
    const std::uint32_t queue = waits_.nodes[node].queue_of.value(key, kNone);
    return queue != kNone && waits_.queues[queue].packets > 0;
  }
  bool isolates() const { return kShape.has_isolation(state_.network); }
  bool is_pooled() const { return kShape.has_pools(state_.network); }
  // With isolation: returns true if packets for this destination must wait at the node now.
  bool is_refused(NodeId node, NodeId destination) const {
    return isolates() && state_.isolation->refuses(state_.network.adapter_port(node), destination);
  }
};

template <EngineShape kShape>
void Adapters<kShape>::note_delivery(PacketId id) {
  if (!limits()) return;
  if (state_.is_notice(id))
    gates_.arrive(state_.packets[id]);
  else
    gates_.deliver(id);
}

template <EngineShape kShape>
void Adapters<kShape>::send_notices() {
  if (state_.notifier == kNone) return;
  // The size of a notification is that of its frame.
  const std::uint32_t bytes = state_.network.reaction->notification_bytes - framing_.header;
  state_.limiter->notices.send_all([&](const Notice& notice) {
    const std::uint32_t serial = waits_.nodes[notice.from].next_serial;
    make_apart(state_.notifier, notice.from, notice.to, {1, bytes});
    return serial;
  });
}

template <EngineShape kShape>
void Adapters<kShape>::open_gates() {
  if (!limits()) return;
  gates_.act([&](NodeId node, ActiveList list) {
    bool moved = false;
    while (list.first != kNone) {
      const std::uint32_t queue = list.first;
      list.first = waits_.queues[queue].next_active;
      const std::uint32_t number = injection_queue_at_head(node, waits_.queues[queue]);
      waits_.join(active(node, number), queue);
      moved |= admit(node, number);
    }
    if (!moved) return;
    if (!queue_fixed_) admit_all(node);
    wake_sources(node);
  });
}

template <EngineShape kShape>
void Adapters<kShape>::on_room(NodeId node, FreedRoom<kShape.may_have_cells()> room) {
  state_.flow.give_back(room.queue, room.credits);
  if (waits_.nodes[node].waiting_packets == 0) return;
  std::uint32_t number = room.queue - adapter(node).first_queue;
  if (channels_ > 1) number -= number % channels_;
  const bool moved = kShape.has_cells(state_.network) && !queue_fixed_ ? admit</*kOnce=*/true>(node, number)
                                                                       : admit(node, number);
  if (!moved) return;
  if (!queue_fixed_) admit_all(node);
  wake_sources(node);
}

template <EngineShape kShape>
void Adapters<kShape>::on_signals(NodeId node) {
  ActiveList& list = active(node, 0);
  for (std::uint32_t queue = waits_.aside[node].first; queue != kNone;) {
    const std::uint32_t next = waits_.queues[queue].next_active;
    waits_.join(list, queue);
    queue = next;
  }
  waits_.aside[node] = {};
  if (admit(node, 0)) wake_sources(node);
}

template <EngineShape kShape>
void Adapters<kShape>::wake_sources(NodeId node) {
  for (const std::uint32_t s : wakers_[home_of(node)])
    if (sources_[s].stalled || sources_[s].flow->arrivals == nullptr)
      state_.wheel.schedule(EventKind::generate, state_.wheel.now(), s);
}

template <EngineShape kShape>
void Adapters<kShape>::generate(Bucket& due) {
  put_in_order(due);
  due.for_each(
      [&](Event event) {
        if (event.a < first_trace_) return run_source(event.a);
        if (kShape.may_have_ends() && event.a >= workload_.generators()) {
          --state_.record.counters.events;  // the number of timers depends on the number of parts
          return;
        }
        event.a < first_job_ ? run_trace(event.a) : run_job(event.a);
      },
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
void Adapters<kShape>::run_source(std::uint32_t id) {
  SourceState& source = sources_[id];
  const Flow& flow = *source.flow;
  const Tick now = state_.wheel.now();
  const Node& node = waits_.nodes[source.node];
  const auto stalls = [&] {
    const std::uint64_t limit = state_.network.admittance_limit;
    if (limit == UINT64_MAX) return false;
    const std::uint64_t more = kShape.may_have_cells() ? cells_of(source.cut()) : source.packets;
    source.stalled = waiting_at(source.node) + more > limit || (nodes_shared_ && others_come_first(id));
    return source.stalled;
  };
  if (flow.arrivals == nullptr) {
    if (now >= flow.stop) source.stalled = false;
    if (now < flow.start || now >= flow.stop || source.next == kNever) return;
    while (source.waiting_messages < flow.backlog && !stalls()) {
      NodeId destination = flow.destinations->next(source.node, source.rng);
      source.next = destination == kNone ? kNever : instant_of(now);
      if (destination == kNone) return;
      const PacketsOfMessage cut = source.cut();
      source.draw_size(framing_);
      NodeId from = source.node;
      choose_links(from, destination);
      make_message(id, from, destination, cut);
    }
    return;
  }
  // with isolation or limited flows, a node can wake its sources twice in a tick, and once more for a free
  // slot; each link of a node with several wakes them
  if ((isolates() || limits() || has_hosts()) && !source.stalled && tick_of(source.next) > now) return;
  do {
    const bool was_stalled = source.stalled;
    if (stalls()) return;
    const PacketsOfMessage cut = source.cut();
    NodeId from = source.node;
    NodeId destination =
        source.draw(from, was_stalled ? instant_of(now) : source.next, framing_, [&](NodeId chosen) {
          if (node.waiting_packets > 0) node.queue_of.fetch(admittance_key(state_, id, from, chosen));
        });
    if (destination == kNone) return;
    choose_links(from, destination);
    make_message(id, from, destination, cut);
    if (kShape.may_skip()) jobs_.note_begin(from, destination);
    if (source.next == kNever) return;
  } while (tick_of(source.next) <= now);
  state_.wheel.schedule_timer(tick_of(source.next), id);
}

// Generates all due messages of a trace; the rest stays in the file.
template <EngineShape kShape>
void Adapters<kShape>::run_trace(std::uint32_t id) {
  TraceState& trace = traces_[id - first_trace_];
  if (state_.part.number > 0) --state_.record.counters.events;  // of which the first part counts one
  for (; trace.next && trace.next->tick <= state_.wheel.now(); trace.next = trace.cursor->next()) {
    if (!state_.has_node(trace.next->source)) continue;
    NodeId from = trace.next->source, to = trace.next->destination;
    choose_links(from, to);
    make_apart(id, from, to, framing_.cut(trace.next->bytes));
    ++state_.record.counters.trace_messages;
  }
  if (trace.next) state_.wheel.schedule_timer(trace.next->tick, id);
  std::uint64_t skipped = 0;
  for (const TraceState& each : traces_) skipped += each.cursor->skipped_records();
  if (state_.part.number == 0) state_.record.counters.trace_records_skipped = skipped;  // all parts skip them
}

template <EngineShape kShape>
void Adapters<kShape>::run_job(std::uint32_t id) {
  // how many timers there are depends on the order of rounds and on the number of parts
  --state_.record.counters.events;
  state_.record.counters.events +=
      jobs_.act(id - first_job_, [&](NodeId& node, NodeId& destination, std::uint64_t bytes) {
        choose_links(node, destination);
        const std::uint32_t serial = waits_.nodes[node].next_serial;
        make_apart(id, node, destination, framing_.cut(bytes));
        return serial;
      });
}

template <EngineShape kShape>
void Adapters<kShape>::make_planned() {
  for (const Planned& message : planned_)
    make_apart(message.job, message.node, message.destination, message.cut);
  planned_.clear();
}

template <EngineShape kShape>
void Adapters<kShape>::make_message(std::uint32_t source, NodeId at, NodeId destination,
                                    const PacketsOfMessage& cut) {
  Node& node = waits_.nodes[at];
  const Message message{state_.wheel.now(),
                        destination,
                        node.next_serial,
                        cut.packets,
                        source,
                        kNone,
                        static_cast<std::uint16_t>(cut.last)};
  node.next_serial += cut.packets;
  const std::uint64_t bytes = framing_.frames(cut);
  if (limits() && source == state_.notifier)
    ++state_.record.counters.notices_generated;
  else
    state_.record.counters.generate(cut.packets, bytes);
  if (counts_parts_) [[unlikely]]
    count_parts(source, message, at, bytes);

  if (cut.packets == 1) {
    const FirstHop hop = first_hop(source, at, destination, drawn_by(message, 0));
    const std::uint32_t number = injection_queue_of(at, hop.target);
    const bool first_in_line =
        node.waiting_packets == 0 || (queue_fixed_ && active(at, number).first == kNone);
    if (first_in_line && !waits_behind(source, at, destination) && !is_refused(at, destination) &&
        !is_held(source, at, destination, next_bytes(message)) &&
        state_.flow.has_room(adapter(at).first_queue + number, channels_, next_credits(message))) {
      inject(at, message, 0, hop);
      return;
    }
  }
  append(at, message);
}

}  // namespace headway

#include "headway/engine/admission.h"
