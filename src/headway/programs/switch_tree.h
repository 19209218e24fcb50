// SPDX-License-Identifier: Apache-2.0
// Trees of switches, whose aggregators (topology/aggregators.h) reduce data on the way to the root and
// multicast them on the way back.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "headway/base/ids.h"
#include "headway/topology/aggregators.h"
#include "headway/topology/distances.h"
#include "headway/topology/graph.h"

namespace headway {

struct SwitchTree {
  struct Place {
    SwitchId sw = 0;
    std::uint32_t parent = kNone;        // in `places`; kNone: the root
    std::vector<std::uint32_t> members;  // whose nodes have a link to the switch
  };
  std::vector<Place> places;  // parents before their children

  // The place of a member.
  std::uint32_t place_of(std::uint32_t member) const;
  // The same tree with another place as its root.
  SwitchTree from(std::uint32_t root) const;
};

// All members at one switch.
SwitchTree star(std::uint32_t members);

// Finds trees in a network, and keeps the ports that they use.
//
// Choice: the root is a switch from which the farthest member is as near as possible, and of those one that
// is near to most; equal ones take turns, so that the trees of several groups differ. The tree consists of
// shortest paths from the root over working links, which join as early as they can. Of parallel links between
// two switches, the trees take turns.
class SwitchTrees {
 public:
  // `nodes`: [rank] as in the spec.
  SwitchTrees(const Graph& graph, std::vector<NodeId> nodes) : graph_(graph), nodes_(std::move(nodes)) {}

  // Of these ranks, which are its members in this order. Throws SpecError if no switch reaches all.
  SwitchTree tree_of(std::span<const std::uint32_t> ranks);
  // What the trees so far need, by their switches.
  std::vector<Aggregator> aggregators() const;

 private:
  const Distances& distances(SwitchId from);
  // Calls visit(link, switch) for the links of a rank's node, as nodes of the graph.
  template <class Visit>
  void for_each_link(std::uint32_t rank, Visit&& visit) const;
  SwitchId root_of(std::span<const std::uint32_t> ranks);

  const Graph& graph_;
  std::vector<NodeId> nodes_;
  std::uint32_t trees_ = 0;
  std::map<SwitchId, Distances> distances_;
  std::map<SwitchId, std::vector<std::uint32_t>> ports_;  // of aggregators, with repetitions
};

}  // namespace headway
