// SPDX-License-Identifier: Apache-2.0
// What shapes the engine's code, not only its data: the axes along which a switch does different
// work per packet. A constant of the instance, so that a network pays only for the parts it has.
#pragma once

#include <algorithm>
#include <cstdint>

#include "headway/engine/network.h"

namespace headway {

// Of the device that has most of them: up to 8, up to 64, or more.
enum class PortCount : std::uint8_t { few, some, many };

struct EngineShape {
  PortCount ports = PortCount::some;
  bool queued = false;  // switches have output stages (CIOQ)
  bool pooled = false;  // the queues of a port share its memory, and packets move between them (isolation)
  bool owned =
      false;  // of these: destinations own queues, and there is one for overflow, instead of isolation

  constexpr bool isolates() const { return pooled && !owned; }
  bool chosen = false;  // outputs are chosen when a packet heads its queue (adaptive routing)

  // It may have what few networks have: rings, links that differ in rate, feedback that shares links,
  // weights. What it has then is data; without, the engine does not ask.
  bool varied = false;

  static EngineShape of(const Network& network);

  // Can an engine of this shape run a network of that one?
  constexpr bool serves(EngineShape network) const {
    network.ports = std::max(network.ports, ports);
    network.varied |= varied;
    return *this == network;
  }
  friend constexpr bool operator==(const EngineShape&, const EngineShape&) = default;
};

}  // namespace headway
