// SPDX-License-Identifier: Apache-2.0
// The time that a message on a critical path is under way without waiting for others, split by physics
// (docs/programs.md, "The critical path").
#pragma once

#include <cstdint>

#include "headway/engine/jobs.h"
#include "headway/metrics/critical_path.h"
#include "headway/topology/link_roles.h"

namespace headway {

// In this order, each part is at most what the ones before it leave. They add up to the whole.
struct TransferParts {
  Tick serialisation = 0;  // the bytes of the message at the usual rate of the links of its nodes
  Tick narrow = 0;         // more than that at the usual rate of the narrowest link of its path
  Tick slow = 0;           // more than that at the rate of the slowest link of its path
  Tick propagation = 0;    // the delays of the links
  Tick switching = 0;      // the routing delays of the switches
  Tick rest = 0;           // storing packets before they are forwarded, and back pressure

  TransferParts& operator+=(const TransferParts& other);
};

// Splits steps of a run.
class TransferSplit {
 public:
  explicit TransferSplit(const Network& network) : network_(network), roles_(network.graph) {}

  // Of a step that is no turn.
  TransferParts parts_of(const Job& job, const WatchedStep& step) const;
  // The link that makes the transfer slow: of the links of its path, the first one of those that are slower
  // than usual and slowest; kNone if there is none.
  PortId slow_link_of(const WatchedStep& step) const;
  std::uint32_t usual_ticks_per_byte(PortId link) const { return ticks_per_byte(roles_.usual(link)); }
  std::uint32_t ticks_per_byte(PortId link) const {
    return network_.ports[network_.link_port(link)].ticks_per_byte;
  }
  // The part of a time for which a link sends that it would not need at the usual rate.
  Tick too_long(PortId link, Tick ticks) const;

 private:
  const Network& network_;
  LinkRoles roles_;
};

// The bytes of the message of a step that is no turn.
std::uint64_t message_bytes(const Job& job, const PathStep& step);

}  // namespace headway
