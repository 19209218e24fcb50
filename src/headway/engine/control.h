// SPDX-License-Identifier: Apache-2.0
// Congestion control between the ends (docs/modelling.md): switches mark packets (marks.h), destinations
// notify sources, and sources limit flows (limited_flows.h). Networks without marking or without a reaction
// do not have the state of that part.
#pragma once

#include <cstdint>
#include <vector>

#include "headway/base/flat_map.h"
#include "headway/congestion/limited_flows.h"
#include "headway/congestion/marks.h"
#include "headway/engine/admittance.h"
#include "headway/engine/network.h"
#include "headway/engine/notices.h"

namespace headway {

// The flow of packets between two nodes. As the key of an admittance queue, it has the destination and the
// service level; or the service level alone, if it is limited as a whole.
inline FlowKey flow_key(const Network& network, NodeId source, NodeId destination, std::uint8_t service) {
  const std::uint32_t services = network.routes.lanes.services();
  return static_cast<FlowKey>(source) << 32 |
         (network.reaction->by_service_level ? service : destination * services + service);
}

// The service level of a flow, and its destination, kNone if all flows of a node and level are limited as
// one.
inline NodeId destination_of(const Network& network, FlowKey flow) {
  if (network.reaction->by_service_level) return kNone;
  return static_cast<std::uint32_t>(flow) / network.routes.lanes.services();
}
inline std::uint32_t service_of(const Network& network, FlowKey flow) {
  return static_cast<std::uint32_t>(flow) % network.routes.lanes.services();
}

// The state of congestion control in the switches: which packets they mark.
struct Control {
  explicit Control(const Network& network) : marks(*network.marking, network.layout.marks) {}

  Marks marks;  // by Network::lane_place of an output
};

// The state of congestion control at the sources: the flows that they slow down.
struct Limiter {
  // Admittance queues of a flow that wait for its gate.
  struct Parked {
    NodeId node = 0;
    ActiveList list;
  };

  explicit Limiter(const Network& network) : flows(*network.reaction, network.nodes()) {}

  // A notification for a flow of another part of the run.
  struct Told {
    FlowKey flow;
    Notification told;
    Tick tick;
  };

  LimitedFlows flows;
  Tick timer = kNoTick;                // of the next event of `flows` that the wheel has
  std::uint32_t timer_source = kNone;  // the generator number of the timers, for the event wheel
  std::vector<Told> abroad;            // notifications on their way to other parts
  FlatMap<FlowKey> parked_of;          // flow -> its place in `parked`
  std::vector<Parked> parked;
  Notices notices;  // that travel as packets
};

}  // namespace headway
