// SPDX-License-Identifier: Apache-2.0
// The variables of a source of a flow, which change as it generates messages. A copy generates the same
// messages again.
#pragma once

#include <cstdint>

#include "headway/engine/workload.h"

namespace headway {

struct SourceStream {
  Rng rng;
  // Time of the next message or, if the flow is saturated, of the last one; kNever: there are no more.
  Instant next = 0;
  const Flow* flow = nullptr;
  std::uint32_t packets = 1;     // of the next message
  std::uint16_t last_bytes = 0;  // of its last packet

  // Draws the size of the next message.
  void draw_size(std::uint64_t packet_bytes) {
    if (flow->sizes == nullptr) return;
    const std::uint64_t bytes = flow->sizes->next(rng);
    const std::uint64_t before_last = (bytes - 1) / packet_bytes;
    packets = static_cast<std::uint32_t>(before_last) + 1;
    last_bytes = static_cast<std::uint16_t>(bytes - before_last * packet_bytes);
  }
};

}  // namespace headway
