// SPDX-License-Identifier: Apache-2.0
// The backlog of admission grows without limit if nodes offer more than the network accepts. This file
// defines how many of its messages are in memory, what they cost, and the exception that ends a run above its
// memory limit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "headway/base/ids.h"

namespace headway {

inline constexpr std::uint64_t kBytesPerWaitingMessage = 32;
// A queue and its entry in the node's table, which is at least a quarter full.
inline constexpr std::uint64_t kBytesPerAdmittanceQueue = 32 + 4 * 8;
// The tail of a queue (its messages that are not in memory), at a node with one source.
inline constexpr std::uint64_t kBytesPerTail = 128;
// How many waiting messages are kept in memory (tails.h). The results do not depend on it.
struct KeptMessages {
  std::uint64_t of_queue = 32;     // a queue may keep this many
  std::uint64_t of_run = 1 << 21;  // 64 MiB, shared by the queues
};

// New messages, and new queues, between two checks of the memory.
inline constexpr std::size_t kMemoryCheckInterval = 1 << 14;

// Returns true for sources whose messages depend on the network. Their nodes keep all messages; so do nodes
// of traces.
constexpr bool waits_for_network(bool is_saturated, std::uint64_t admittance_limit) {
  return is_saturated || admittance_limit != UINT64_MAX;
}

constexpr std::uint64_t backlog_bytes(std::uint64_t messages, std::uint64_t queues, std::uint64_t tails) {
  return messages * kBytesPerWaitingMessage + queues * kBytesPerAdmittanceQueue + tails * kBytesPerTail;
}

// Messages and queues are numbered with 32 bits.
inline constexpr std::uint64_t kMostBacklogBytes =
    kBytesPerWaitingMessage * (std::uint64_t{kNone} - (1 << 20));

class BacklogTooLarge : public std::runtime_error {
 public:
  BacklogTooLarge(Tick when, std::uint64_t how_many)
      : std::runtime_error("the backlog exceeds its memory limit"), tick(when), messages(how_many) {}
  Tick tick;
  std::uint64_t messages;  // in memory
};

}  // namespace headway
