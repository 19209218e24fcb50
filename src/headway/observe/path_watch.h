// SPDX-License-Identifier: Apache-2.0
// What one packet waits for, from tick to tick: by the definitions of photographs (docs/waiting.md), but
// without a photograph of the whole network.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

#include "headway/engine/workload.h"
#include "headway/observe/charges.h"

namespace headway {

// Why a packet waits between two ticks.
struct PacketWait {
  Waiting waiting = Waiting::room;
  PortId at = 0;        // port of the graph whose queue it is in, or, before admittance, that of its node
  Root root;            // what it waits for in the end
  bool victim = false;  // it will not cross the root
  bool own = false;     // the root sends a packet of its own message
  // The packet that the root sends: its flow by FlowNumbers, and its destination. kNone: the root sends
  // none.
  std::uint32_t flow = kNone;
  NodeId destination = kNone;
  friend auto operator<=>(const PacketWait&, const PacketWait&) = default;
};

// A packet that has been generated and not been delivered.
struct FollowedPacket {
  NodeId node = 0;  // that generated it
  std::uint32_t serial = 0;
  PacketId id = kNone;  // none: it waits for admittance
  // The input port, of a switch of the graph, that it is at or on its way to; kNone: it is in its node, in an
  // output unit, or on its way to its destination.
  PortId input = kNone;
};

// The simulation must keep what it sends (SimulationOptions::keep_sent).
class PathWatch {
 public:
  // `flows` must outlive it.
  PathWatch(const Network& network, const FlowNumbers& flows, std::uint64_t seed);
  PathWatch(const PathWatch&) = delete;
  PathWatch& operator=(const PathWatch&) = delete;

  // What the packet waits for; none: it is on a link. Sets its id when it has been admitted, and where it is.
  std::optional<PacketWait> look(const StateView& view, FollowedPacket& packet);

 private:
  // As FollowedPacket::input.
  PortId input_of(const StateView& view, PacketId packet) const;
  // Adds what the root sends.
  PacketWait found(const StateView& view, const FollowedPacket& packet, Waiting waiting, PortId at,
                   const Root& root, bool victim);
  Root root_of(const QueueSeen& seen);

  const Network& network_;
  const FlowNumbers& flows_;
  Photograph photograph_;  // only holders and senders, of some ports
  HeadWaits heads_;
  WaitRoots roots_;
  Charges charges_;

  // Members only to reuse their memory.
  std::vector<std::uint32_t> chain_;
  std::array<std::vector<WaitingPacket>, StateView::kQueuesAtOnce> packets_;
};

}  // namespace headway
