// SPDX-License-Identifier: Apache-2.0
#include "headway/congestion/overflow.h"

#include <stdexcept>

namespace headway {

Overflow::Tables::Tables(const OverflowRules& rules, std::uint32_t ports)
    : rules_(rules),
      ports_(ports),
      owned_(std::size_t{ports} * rules.queues),
      overflowed_(ports * rules.set_of.size()) {
  for (const std::uint32_t set : rules.set_of)
    if ((set + 1) * rules.ways > rules.queues) throw std::invalid_argument("Overflow: no such set of queues");
}

std::uint64_t Overflow::Tables::bytes(const OverflowRules& rules, std::uint64_t ports, std::uint64_t nodes) {
  return ports * (sizeof(Port) + rules.queues * sizeof(Owned) + nodes * sizeof(std::uint32_t));
}

Overflow::Overflow(Tables& tables)
    : rules_(tables.rules_),
      nodes_(rules_.set_of.size()),
      ports_(tables.ports_),
      owned_(tables.owned_),
      overflowed_(tables.overflowed_) {}

// The destination in the overflow queue that gets the queue, or kNone.
NodeId Overflow::to_restore(PortId port, std::uint32_t queue) const {
  NodeId best = kNone;
  std::uint32_t most = 0;
  for (const NodeId destination : ports_[port].overflow) {
    const Set set = set_of(destination);
    if (queue < set.first || queue >= set.end) continue;
    if (rules_.restoration == Restoration::first) return destination;
    const std::uint32_t packets = overflowed_[std::size_t{port} * nodes_ + destination];
    if (packets > most) best = destination, most = packets;
  }
  return best;
}

void Overflow::own(PortId port, std::uint32_t queue, NodeId destination) {
  owned(port, queue).owner = destination;
  owned(port, queue).since = ++ports_[port].clock;
}

}  // namespace headway
