// SPDX-License-Identifier: Apache-2.0
// The messages that wait at nodes for their injection queues, in admittance queues: one per destination, or
// one FIFO queue per node (docs/modelling.md, "Admit"). Data only; written by Adapters.
#pragma once

#include <cstdint>
#include <optional>
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
  std::uint32_t tail = kNone;  // the messages behind these
  // A sum for observers, because walking a long backlog takes too long.
  std::uint32_t packets = 0;   // of its messages, with the tail
  NodeId destination = kNone;  // of all of them; of a FIFO, none
};
static_assert(sizeof(AdmittanceQueue) + 4 * 8 == kBytesPerAdmittanceQueue);

// The messages of a queue that are not in memory (tails.h).
struct Tail {
  NodeStream stream;  // begins behind the last message in memory, at the latest with the first of these
  std::uint32_t messages = 0;  // of the queue, in the stream
  std::uint32_t queue = kNone;
  std::uint32_t next = kNone;  // of the node
  std::uint32_t stride = 0;    // packets that the last pass went on
  bool open = false;           // within a pass: takes messages
};
static_assert(sizeof(Tail) + 64 <= kBytesPerTail);

// The tails of a node.
struct NodeTails {
  std::uint32_t first = kNone;
  std::uint32_t window = 0;      // messages that each queue keeps
  std::uint64_t taken = 0;       // messages that were counted in tails
  std::uint64_t made_again = 0;  // since the window grew
};

// Admittance queues whose first packet waits for the same injection queue. They are served in turn.
struct ActiveList {
  std::uint32_t first = kNone;  // admittance queues
  std::uint32_t last = kNone;
};

struct AdmittanceState {
  struct alignas(64) Node {
    // destination (and service level: State::line_of) -> admittance queue, made when first used
    FlatMap<NodeId> queue_of;
    std::uint64_t waiting_packets = 0;
    std::uint32_t next_serial = 0;
    std::uint32_t tails = kNone;   // NodeTails, made when first used
    std::uint16_t next_queue = 0;  // most room: pointer among the channels of an injection queue
    bool keeps_all = false;        // what its sources generate depends on the network
  };

  HugeVector<Node> nodes;
  BlockVector<Message> messages;
  std::uint32_t free_message = kNone;
  BlockVector<AdmittanceQueue> queues;
  std::vector<std::optional<std::uint8_t>>
      service_of;  // [source], if there are several levels; none: that of the pair
  std::vector<NodeTails> tails_of_node;
  std::vector<Tail> tails;
  std::uint32_t free_tail = kNone;
  std::uint32_t window = kBacklogWindow;
  std::uint64_t memory_limit = kMostBacklogBytes;
  std::uint32_t first_adapter_queue = 0;
  std::vector<ActiveList> active;  // [adapter queue]
  std::vector<ActiveList> aside;   // [node] with isolation: queues whose first packet is refused
};

}  // namespace headway
