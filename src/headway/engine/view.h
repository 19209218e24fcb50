// SPDX-License-Identifier: Apache-2.0
// What observers, metrics and tests may read of a running simulation: const, the same for every instance of
// the engine, valid between ticks. A view is a pointer; copy it.
#pragma once

#include <cstdint>
#include <vector>

#include "headway/congestion/isolation.h"
#include "headway/congestion/overflow.h"
#include "headway/engine/network.h"

namespace headway {

struct State;

struct PacketView {
  NodeId source = 0;
  NodeId destination = 0;
  std::uint32_t serial = 0;  // at its source
  friend bool operator==(const PacketView&, const PacketView&) = default;
};

class StateView {
 public:
  explicit StateView(const State& state) : state_(&state) {}

  // Of a queue, by its number in the network.
  std::uint32_t length(std::uint32_t queue) const;             // packets
  std::uint32_t longest(std::uint32_t queue) const;            // since the measurement began
  std::vector<PacketView> packets(std::uint32_t queue) const;  // head first

  // Over the link behind an output, since the start.
  std::uint64_t bytes_sent(PortId output) const;

  // Lines and counts of congestion isolation; null without.
  const Isolation* isolation() const;
  // Owners and counts of queues that destinations own; null without.
  const Overflow* overflow() const;

 private:
  const State* state_;
};

}  // namespace headway
