// SPDX-License-Identifier: Apache-2.0
// The variables of a source of a flow, which change as it generates messages. A copy generates the same
// messages again.
#pragma once

#include <cstdint>

#include "headway/engine/workload.h"
#include "headway/traffic/framing.h"

namespace headway {

struct SourceStream {
  Rng rng;
  // Time of the next message or, if the flow is saturated, of the last one; kNever: there are no more.
  Instant next = 0;
  const Flow* flow = nullptr;
  std::uint32_t packets = 1;  // of the next message
  std::uint16_t last = 0;     // bytes of it in the last of them

  PacketsOfMessage cut() const { return {packets, last}; }

  // Draws the destination of the message that is due, and the time and the size of the next one. Calls
  // chosen(destination) in between. Returns kNone, as destination, if there are no more.
  template <class Chosen>
  [[gnu::always_inline]] NodeId draw(NodeId node, Instant due, const Framing& framing, Chosen&& chosen) {
    const NodeId destination = flow->destinations->next(node, rng);
    if (destination == kNone) {
      next = kNever;
      return kNone;
    }
    chosen(destination);
    next = flow->arrivals->next(due, rng);
    draw_size(framing);
    return destination;
  }
  NodeId draw(NodeId node, Instant due, const Framing& framing) {
    return draw(node, due, framing, [](NodeId) {});
  }
  // Draws the size of the next message.
  void draw_size(const Framing& framing) {
    if (flow->sizes == nullptr) return;
    const PacketsOfMessage cut = framing.cut(flow->sizes->next(rng));
    packets = cut.packets;
    last = static_cast<std::uint16_t>(cut.last);
  }
};

}  // namespace headway
