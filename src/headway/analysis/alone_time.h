// SPDX-License-Identifier: Apache-2.0
// How long a message takes if nothing else is in the network: the denominator of its slowdown.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "headway/engine/network.h"

namespace headway {

// Choice: queues hold as much as a link sends until a credit returns, and the message takes one path: its own
// if the routing gives one, otherwise, at every switch, the candidate with the fastest link. It takes no
// detour by a waypoint. So a slowdown contains what small queues and detours cost.
class AloneTime {
 public:
  explicit AloneTime(const Network& network) : network_(network) {}

  // From the generation of the message to the delivery of its last packet, in ticks. The work is proportional
  // to the links of the path and, if a link or the destination is slower than those before it, to its
  // packets.
  Tick of(NodeId source, NodeId destination, const PacketsOfMessage& message);
  // The same for one packet over these links, from that of its source: the ports of the graph that they
  // leave.
  Tick along(std::span<const PortId> links, std::uint32_t bytes);

 private:
  // A link of the path, with the switch before it.
  struct Hop {
    Tick ticks_per_byte;
    Tick crossbar_ticks_per_byte;  // 0: no output unit
    Tick delay;
    bool stores;  // the switch stores packets
    Tick crossbar_free = 0;
    Tick link_free = 0;
  };
  void find_path(NodeId source, NodeId destination);
  void add(PortId input, PortId output);
  // When the next packet is delivered.
  Tick send(Tick bytes);

  const Network& network_;
  std::vector<Hop> path_, before_;  // as a packet finds it, and the one before it did
  NodeId destination_ = 0;
  Tick consumed_ = 0;  // a slow destination has consumed all packets so far
};

}  // namespace headway
