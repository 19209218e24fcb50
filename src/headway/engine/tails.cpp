// SPDX-License-Identifier: Apache-2.0
#include "headway/engine/tails.h"
#include "headway/engine/next_hop.h"

#include <utility>

namespace headway {
namespace {

// Messages that may be regenerated for each one that is needed, before queues keep twice as many.
constexpr std::uint64_t kMostPasses = 16;
constexpr std::uint64_t kFirstPasses = 1 << 12;

// Serials can wrap around.
bool before(std::uint32_t one, std::uint32_t other) { return static_cast<std::int32_t>(one - other) < 0; }

// One pass over the messages of a node.
class Pass {
 public:
  Pass(State& state, NodeId node)
      : state_(state),
        waits_(state.admittance),
        node_(node),
        tails_(waits_.tails_of_node[waits_.nodes[node].tails]),
        most_kept_(waits_.most_kept_of(waits_.nodes[node])) {}

  void fill(std::uint32_t queue) {
    const std::uint32_t tail = waits_.queues[queue].tail;
    if (waits_.tails[tail].messages == 0) return end(queue);
    const std::uint32_t from = waits_.tails[tail].stream.serial();
    stream_ = waits_.tails[first_of(tail)].stream;
    open_tails();
    while (waits_.queues[queue].tail != kNone && waits_.tails[tail].open) take_next();
    close_tails();
    if (waits_.queues[queue].tail != kNone) waits_.tails[tail].stride = stream_.serial() - from;
    widen_if_slow();
  }

 private:
  void widen_if_slow() {
    if (tails_.regenerated <= kMostPasses * tails_.needed + kFirstPasses) return;
    tails_.regenerated = tails_.needed = 0;
    ++waits_.nodes[node_].doublings;
  }

  AdmittanceQueue& queue_of(const Tail& tail) { return waits_.queues[tail.queue]; }

  // The tail at which the pass begins. Its stream is at most one stride behind that of `own`.
  std::uint32_t first_of(std::uint32_t own) const {
    std::uint32_t first = own;
    const std::uint32_t reach = waits_.tails[own].stream.serial() - waits_.tails[own].stride;
    for (std::uint32_t t = tails_.first; t != kNone; t = waits_.tails[t].next) {
      const Tail& tail = waits_.tails[t];
      if (waits_.queues[tail.queue].kept <= most_kept_ / 2 && !before(tail.stream.serial(), reach) &&
          before(tail.stream.serial(), waits_.tails[first].stream.serial()))
        first = t;
    }
    return first;
  }

  // Only tails that begin within the pass can take part.
  void open_tails() {
    for (std::uint32_t t = tails_.first; t != kNone; t = waits_.tails[t].next) {
      Tail& tail = waits_.tails[t];
      tail.open = !before(tail.stream.serial(), stream_.serial()) && queue_of(tail).kept < most_kept_;
    }
  }

  void take_next() {
    const Message message = stream_.next(node_, state_.network.framing());
    ++tails_.regenerated;
    const NodeId key = admittance_key(state_, message.source, node_, message.destination);
    const std::uint32_t queue = waits_.nodes[node_].queue_of.value(key, kNone);
    if (queue == kNone || waits_.queues[queue].tail == kNone) return;
    Tail& tail = waits_.tails[waits_.queues[queue].tail];
    if (!tail.open || before(message.serial, tail.stream.serial())) return;
    keep_message(state_, waits_.queues[queue], message);
    ++tails_.needed;
    if (--tail.messages == 0) return end(queue);
    if (waits_.queues[queue].kept < most_kept_) return;
    tail.stream = stream_;
    tail.open = false;
  }

  void close_tails() {
    for (std::uint32_t t = tails_.first; t != kNone; t = waits_.tails[t].next) {
      Tail& tail = waits_.tails[t];
      if (tail.open && before(tail.stream.serial(), stream_.serial())) tail.stream = stream_;
    }
  }

  void end(std::uint32_t queue) {
    const std::uint32_t id = waits_.queues[queue].tail;
    waits_.queues[queue].tail = kNone;
    std::uint32_t* link = &tails_.first;
    while (*link != id) link = &waits_.tails[*link].next;
    *link = waits_.tails[id].next;
    waits_.tails[id].next = waits_.free_tail;
    waits_.free_tail = id;
  }

  State& state_;
  AdmittanceState& waits_;
  NodeId node_;
  NodeTails& tails_;
  std::uint64_t most_kept_;
  NodeStream stream_;
};

}  // namespace

void expect_backlog_memory(const State& state) {
  const AdmittanceState& waits = state.admittance;
  if (waits.bytes() > waits.memory_limit) throw BacklogTooLarge(state.wheel.now(), waits.messages.size());
}

void keep_message(State& state, AdmittanceQueue& queue, const Message& message) {
  AdmittanceState& waits = state.admittance;
  std::uint32_t id = waits.free_message;
  if (id == kNone) {
    if (waits.messages.size() % kMemoryCheckInterval == 0) expect_backlog_memory(state);
    id = static_cast<std::uint32_t>(waits.messages.size());
    waits.messages.emplace_back();
    state.record.most_kept_messages = waits.messages.size();
  } else {
    waits.free_message = waits.messages[id].next;
  }
  waits.messages[id] = message;
  ++queue.kept;
  if (queue.first == kNone)
    queue.first = id;
  else
    waits.messages[queue.last].next = id;
  queue.last = id;
}

void begin_tail(State& state, NodeId at, std::uint32_t queue, NodeStream stream) {
  AdmittanceState& waits = state.admittance;
  AdmittanceState::Node& node = waits.nodes[at];
  if (node.tails == kNone) {
    node.tails = static_cast<std::uint32_t>(waits.tails_of_node.size());
    waits.tails_of_node.emplace_back();
  }
  NodeTails& of_node = waits.tails_of_node[node.tails];
  std::uint32_t id = waits.free_tail;
  if (id == kNone) {
    id = static_cast<std::uint32_t>(waits.tails.size());
    waits.tails.emplace_back();
    state.record.admittance_tails = waits.tails.size();
  } else {
    waits.free_tail = waits.tails[id].next;
  }
  Tail& tail = waits.tails[id];
  tail = {.stream = std::move(stream), .queue = queue, .next = of_node.first};
  of_node.first = id;
  waits.queues[queue].tail = id;
}

void refill(State& state, NodeId node, std::uint32_t queue) { Pass(state, node).fill(queue); }

}  // namespace headway
