// SPDX-License-Identifier: Apache-2.0
// The messages that wait at nodes for their injection queues, in admittance queues: one per destination, or
// one FIFO queue per node (docs/modelling.md, "Admit"). Data only; written by Adapters.
#pragma once

#include <cstdint>
#include <vector>

#include "headway/base/block_vector.h"
#include "headway/base/flat_map.h"
#include "headway/base/huge_vector.h"
#include "headway/base/ids.h"
#include "headway/engine/backlog.h"

namespace headway {

// A message, or the rest of it: its next packet, and the number of packets left.
struct alignas(32) Message {
  Tick generated = 0;
  NodeId destination = 0;
  std::uint32_t serial = 0;   // of its next packet
  std::uint32_t packets = 0;  // left
  std::uint32_t source = 0;
  std::uint32_t next = kNone;
  std::uint16_t last_bytes = 0;  // length of its last packet; the others are full
};
static_assert(sizeof(Message) == kBytesPerWaitingMessage);

struct AdmittanceQueue {
  std::uint32_t first = kNone;  // messages
  std::uint32_t last = kNone;
  std::uint32_t next_active = kNone;
  // Sums for observers, because walking a long backlog takes too long.
  std::uint32_t packets = 0;   // of its messages
  NodeId destination = kNone;  // of all of them; of a FIFO, none
};
static_assert(sizeof(AdmittanceQueue) + 4 * 8 == kBytesPerAdmittanceQueue);

// Admittance queues whose first packet waits for the same injection queue. They are served in turn.
struct ActiveList {
  std::uint32_t first = kNone;  // admittance queues
  std::uint32_t last = kNone;
};

struct AdmittanceState {
  struct alignas(64) Node {
    // destination (and service level: Adapters::line_of) -> admittance queue, made when first used
    FlatMap<NodeId> queue_of;
    std::uint64_t waiting_packets = 0;
    std::uint32_t next_serial = 0;
    std::uint16_t next_queue = 0;  // most room: pointer among the channels of an injection queue
  };

  HugeVector<Node> nodes;
  BlockVector<Message> messages;
  std::uint32_t free_message = kNone;
  BlockVector<AdmittanceQueue> queues;
  std::uint32_t first_adapter_queue = 0;
  std::vector<ActiveList> active;  // [adapter queue]
  std::vector<ActiveList> aside;   // [node] with isolation: queues whose first packet is refused
};

}  // namespace headway
