// SPDX-License-Identifier: Apache-2.0
// The messages that wait at nodes for their injection queues, in admittance queues: one per destination, or
// one FIFO queue per node (docs/modelling.md, "Admit"). Data only; written by Adapters.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "headway/base/block_vector.h"
#include "headway/base/flat_map.h"
#include "headway/base/huge_vector.h"
#include "headway/base/ids.h"
#include "headway/engine/backlog.h"
#include "headway/engine/message.h"
#include "headway/engine/node_stream.h"

namespace headway {

struct AdmittanceQueue {
  std::uint32_t first = kNone;  // messages
  std::uint32_t last = kNone;
  std::uint32_t next_active = kNone;
  std::uint32_t kept = 0;      // messages in memory
  std::uint32_t tail = kNone;  // the messages behind those in memory
  std::uint32_t begun = 0;     // packets of its first message that are no longer here
  // A sum for observers, because walking a long backlog takes too long.
  std::uint64_t packets = 0;  // of all its messages, including the tail
};
static_assert(sizeof(AdmittanceQueue) + 4 * 8 == kBytesPerAdmittanceQueue);

// The packets of admittance queues by what generated them, for observers. They are counted as messages come
// and packets go, because walking a long backlog takes too long.
class WaitingByGenerator {
 public:
  void add(std::uint32_t queue, std::uint32_t generator, std::uint32_t packets) {
    while (first_.size() <= queue) first_.push_back(kNone);
    std::uint32_t* link = &first_[queue];
    while (*link != kNone && counts_[*link].generator != generator) link = &counts_[*link].next;
    if (*link == kNone) {
      *link = static_cast<std::uint32_t>(counts_.size());
      counts_.push_back({.packets = packets, .generator = generator});
      return;
    }
    counts_[*link].packets += packets;
  }
  void take(std::uint32_t queue, std::uint32_t generator) {
    std::uint32_t count = first_[queue];
    while (counts_[count].generator != generator) count = counts_[count].next;
    --counts_[count].packets;
  }
  // Calls visit(generator, packets) for every generator with packets in the queue.
  template <class Visit>
  void for_each(std::uint32_t queue, Visit&& visit) const {
    for (std::uint32_t count = first_[queue]; count != kNone; count = counts_[count].next)
      if (counts_[count].packets > 0) visit(counts_[count].generator, counts_[count].packets);
  }
  template <class Io>
  void serialize(Io& io) {
    io.list(first_);
    io.list(counts_);
  }
  std::uint64_t bytes() const {
    return first_.size() * sizeof(std::uint32_t) + counts_.size() * sizeof(Count);
  }

 private:
  struct Count {
    std::uint64_t packets = 0;
    std::uint32_t generator = 0;
    std::uint32_t next = kNone;  // count of the same queue
  };
  std::vector<std::uint32_t> first_;  // [queue] its first count
  std::vector<Count> counts_;
};

// The messages of a queue that are not in memory (tails.h).
struct Tail {
  NodeStream stream;  // starts after the last message in memory, and not after the first message of the tail
  std::uint32_t messages = 0;  // number of the queue's messages in the stream
  std::uint32_t queue = kNone;
  std::uint32_t next = kNone;  // next tail of the node
  std::uint32_t stride = 0;    // packets by which the last pass advanced the stream
  bool open = false;           // during a pass: it takes messages
};
static_assert(sizeof(Tail) + 64 <= kBytesPerTail);

// The tails of a node.
struct NodeTails {
  std::uint32_t first = kNone;
  std::uint64_t regenerated = 0;  // messages, since its queues keep more
  std::uint64_t needed = 0;       // those of them that a queue took
};

// Admittance queues whose first packet waits for the same injection queue. They are served in turn.
struct ActiveList {
  std::uint32_t first = kNone;  // admittance queues
  std::uint32_t last = kNone;
};

struct AdmittanceState {
  struct alignas(64) Node {
    // destination, and service level (admittance_key) -> admittance queue, created when first used
    FlatMap<NodeId> queue_of;
    std::uint64_t waiting_packets = 0;
    std::uint64_t waiting_cells = 0;  // with cells: those of the waiting packets
    std::uint32_t next_serial = 0;
    std::uint32_t tails = kNone;   // index in tails_of_node; created when first used
    std::uint16_t next_queue = 0;  // most_room: pointer among the channels of an injection queue
    std::uint8_t doublings = 0;    // of the number of messages that a queue keeps
    bool keeps_all = false;        // all its messages stay in memory, because they depend on the network
  };

  std::span<Node> nodes;  // those of other parts of the run, too
  BlockVector<Message> messages;
  std::uint32_t free_message = kNone;
  BlockVector<AdmittanceQueue> queues;
  std::uint32_t free_queue = kNone;
  std::vector<std::optional<std::uint8_t>>
      service_of;  // [source] its service level, if there are several; none: the level of the pair
  std::vector<NodeTails> tails_of_node;
  std::vector<Tail> tails;
  std::uint32_t free_tail = kNone;
  KeptMessages most_kept;
  std::uint64_t share = 0;  // that of a queue in them, if its node has several
  std::uint64_t memory_limit = kMostBacklogBytes;
  std::uint32_t first_adapter_queue = 0;
  std::span<ActiveList> active;  // [adapter queue]
  std::span<ActiveList> aside;   // [node] with isolation: queues whose first packet is refused
  std::unique_ptr<WaitingByGenerator> by_generator;  // null if nobody asks

  // Choice: a node of a job keeps this many queues, so that those that it uses again and again are not made
  // anew. Without a limit, the queues of an all-to-all would be as many as its pairs.
  static constexpr std::size_t kMostEmptyQueues = 256;
  std::uint32_t new_queue() {
    if (free_queue == kNone) {
      queues.emplace_back();
      return static_cast<std::uint32_t>(queues.size() - 1);
    }
    const std::uint32_t queue = free_queue;
    free_queue = queues[queue].next_active;
    queues[queue].next_active = kNone;
    return queue;
  }
  // Appends an admittance queue to a list.
  void join(ActiveList& list, std::uint32_t queue) {
    queues[queue].next_active = kNone;
    if (list.first == kNone)
      list.first = queue;
    else
      queues[list.last].next_active = queue;
    list.last = queue;
  }

  // The memory of waiting messages, in bytes.
  std::uint64_t bytes() const {
    return backlog_bytes(messages.size(), queues.size(), tails.size()) +
           (by_generator ? by_generator->bytes() : 0);
  }

  // The number of messages that a queue of the node keeps in memory (tails.h).
  std::uint64_t most_kept_of(const Node& node) const {
    return (node.queue_of.size() == 1 ? most_kept.of_queue : share) << node.doublings;
  }
};

// What all parts of a run share (StateMemory).
struct AdmittanceMemory {
  HugeVector<AdmittanceState::Node> nodes;
  std::vector<ActiveList> active;
  std::vector<ActiveList> aside;
};

}  // namespace headway
