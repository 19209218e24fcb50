// SPDX-License-Identifier: Apache-2.0
// The properties that the code of an engine instance is compiled for: the width of its port sets, the arbiter
// and the features of its networks. A network pays only for the features that its instance is compiled for.
#pragma once

#include <cstdint>

#include "headway/engine/network.h"

namespace headway {

// The number of ports of the largest device: up to 8, up to 64, or more.
enum class PortCount : std::uint8_t { few, some, many };

// Calls call.operator()<kPorts>() for the number of ports.
template <class Call>
auto with_ports(PortCount ports, Call&& call) {
  if (ports == PortCount::few) return call.template operator()<PortCount::few>();
  if (ports == PortCount::some) return call.template operator()<PortCount::some>();
  return call.template operator()<PortCount::many>();
}

// Whether networks of an instance have a feature. With `maybe`, the instance tests its network during the
// run.
enum class Feature : std::uint8_t { no, yes, maybe };

struct EngineShape {
  PortCount ports = PortCount::some;
  Feature cioq = Feature::no;       // switches with output queues
  Feature isolation = Feature::no;  // queues of a port share its memory and isolate congested flows
  Feature overflow = Feature::no;   // queues share memory, destinations own them, and one is for overflow
  Feature adaptive = Feature::no;   // an output is chosen when a packet heads its queue
  Feature lanes = Feature::no;      // several lanes per port, or detours
  // Rings, links that differ in rate, feedback that shares links with packets, weights, nodes with several
  // links. Never `yes`: an instance tests its network for each of these.
  Feature rare = Feature::no;
  // Marks of packets, sources that react to them, slow nodes, turns of classes, pauses, links and routes that
  // change, choices for several packets, labels of paths: tested as `rare`.
  Feature ends = Feature::no;
  Feature cells = Feature::no;                     // memory is counted in cells, not in slots
  ArbiterKind arbiter = ArbiterKind::round_robin;  // or one with the same policy
  bool any_arbiter = false;                        // the instance tests its network for the arbiter

  constexpr ArbiterKind policy_of(const Network& network) const {
    return any_arbiter ? traits_of(network.arbiter).policy : arbiter;
  }
  constexpr bool has_cioq(const Network& network) const {
    return cioq == Feature::maybe ? network.has_output_units() : cioq == Feature::yes;
  }
  constexpr bool has_isolation(const Network& network) const {
    return isolation == Feature::maybe ? network.isolation.has_value() : isolation == Feature::yes;
  }
  constexpr bool has_overflow(const Network& network) const {
    return overflow == Feature::maybe ? network.overflow.has_value() : overflow == Feature::yes;
  }
  constexpr bool has_pools(const Network& network) const {
    return has_isolation(network) || has_overflow(network);
  }
  constexpr bool has_adaptive(const Network& network) const {
    return adaptive == Feature::maybe ? network.selection.has_value() : adaptive == Feature::yes;
  }
  constexpr bool has_lanes(const Network& network) const {
    return lanes == Feature::maybe ? network.has_lanes() : lanes == Feature::yes;
  }
  constexpr bool may_have_ends() const { return ends != Feature::no; }
  // Returns true unless it has features with which nothing is skipped (skip.h).
  constexpr bool may_skip() const {
    return isolation != Feature::yes && overflow != Feature::yes && adaptive != Feature::yes &&
           (any_arbiter || arbiter == ArbiterKind::round_robin);
  }
  // Turns of classes need lanes.
  constexpr bool may_give_turns() const { return may_have_ends() && lanes != Feature::no; }
  constexpr bool may_have_rare() const { return rare != Feature::no; }
  // Without cells, the code of an instance that may have them counts one credit per packet.
  constexpr bool may_have_cells() const { return cells != Feature::no; }
  constexpr bool has_cells(const Network& network) const {
    return cells == Feature::maybe ? network.has_cells() : cells == Feature::yes;
  }
  // Returns true if rules depend on the cells that the packets of a queue take.
  constexpr bool counts_cells(const Network& network) const {
    return has_cells(network) && (has_isolation(network) || (has_adaptive(network) && has_cioq(network)));
  }

  // The shape of a network; its features are `yes` or `no`.
  static EngineShape of(const Network& network);

  // Returns true if an instance of this shape can run a network of that shape.
  constexpr bool serves(const EngineShape& network) const {
    const auto fits = [](Feature compiled, Feature present) {
      return compiled == Feature::maybe || compiled == present;
    };
    return ports >= network.ports && fits(cioq, network.cioq) && fits(isolation, network.isolation) &&
           fits(overflow, network.overflow) && fits(adaptive, network.adaptive) &&
           fits(lanes, network.lanes) && fits(rare, network.rare) && fits(ends, network.ends) &&
           fits(cells, network.cells) && (any_arbiter || arbiter == network.arbiter);
  }
  friend constexpr bool operator==(const EngineShape&, const EngineShape&) = default;
};

}  // namespace headway
