// SPDX-License-Identifier: Apache-2.0
// The time for which a message, or a packet, is under way without waiting for others, split by physics, and
// what slow links add to a time of waiting (docs/programs.md, "The critical path").
#pragma once

#include <cstdint>
#include <span>

#include "headway/engine/network.h"
#include "headway/topology/link_roles.h"

namespace headway {

// In this order, each part is at most what the ones before it leave. They add up to the whole.
struct TransferParts {
  Tick serialisation = 0;  // the bytes at the usual rate of the links of its nodes
  Tick narrow = 0;         // more than that at the usual rate of the narrowest link of its path
  Tick slow = 0;           // more than that at the rate of the slowest link of its path
  Tick propagation = 0;    // the delays of the links
  Tick switching = 0;      // the routing delays of the switches
  Tick rest = 0;           // storing packets before they are forwarded, and back pressure

  TransferParts& operator+=(const TransferParts& other);
  Tick whole() const { return serialisation + narrow + slow + propagation + switching + rest; }
};

class TransferSplit {
 public:
  explicit TransferSplit(const Network& network) : network_(network), roles_(network.graph) {}

  // Of bytes that take the `whole` time for these links of the graph, given by the ports that they leave.
  TransferParts parts_of(std::uint64_t bytes, std::span<const PortId> links, Tick whole) const;
  // Of bytes that leave their node in this time.
  TransferParts parts_of_departure(std::uint64_t bytes, PortId link, Tick whole) const;
  // The link that makes the transfer slow: of these links, the first one of those that are slower than usual
  // and slowest; kNone if there is none.
  PortId slow_link_of(std::span<const PortId> links) const;
  std::uint32_t usual_ticks_per_byte(PortId link) const { return ticks_per_byte(roles_.usual(link)); }
  std::uint32_t ticks_per_byte(PortId link) const {
    return network_.ports[network_.link_port(link)].ticks_per_byte;
  }
  // The part of a time for which a link sends that it would not need at the usual rate.
  Tick too_long(PortId link, Tick ticks) const;
  double too_long(PortId link) const;  // as a fraction

 private:
  TransferParts serialised(std::uint64_t bytes, std::span<const PortId> links, Tick& left) const;

  const Network& network_;
  LinkRoles roles_;
};

}  // namespace headway
