// SPDX-License-Identifier: Apache-2.0
// The backlog of admission grows without limit if nodes offer more than the network accepts. Defines what it
// costs in memory, and how a run ends that would need more than its limit.
#pragma once

#include <cstdint>
#include <stdexcept>

#include "headway/base/ids.h"

namespace headway {

inline constexpr std::uint64_t kBytesPerWaitingMessage = 32;
// A queue and its entry in the node's table, which is at least a quarter full.
inline constexpr std::uint64_t kBytesPerAdmittanceQueue = 20 + 4 * 8;

constexpr std::uint64_t backlog_bytes(std::uint64_t messages, std::uint64_t queues) {
  return messages * kBytesPerWaitingMessage + queues * kBytesPerAdmittanceQueue;
}

// Messages and queues are numbered with 32 bits.
inline constexpr std::uint64_t kMostBacklogBytes =
    kBytesPerWaitingMessage * (std::uint64_t{kNone} - (1 << 20));

class BacklogTooLarge : public std::runtime_error {
 public:
  BacklogTooLarge(Tick when, std::uint64_t how_many)
      : std::runtime_error("the backlog takes more memory than it may"), tick(when), messages(how_many) {}
  Tick tick;
  std::uint64_t messages;  // waiting messages
};

}  // namespace headway
