// SPDX-License-Identifier: Apache-2.0
// A message that waits at its node.
#pragma once

#include <cstdint>

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
  std::uint16_t last_bytes = 0;  // what its last packet carries; the others are full
};
static_assert(sizeof(Message) == kBytesPerWaitingMessage);

}  // namespace headway
