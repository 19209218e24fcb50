// SPDX-License-Identifier: Apache-2.0
// Which nodes generate the messages of a flow. Which ones are hot decides much: sources of a hot spot that
// are spread over a fat-tree make a congestion tree everywhere, the same number in one subtree only there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "headway/base/error.h"
#include "headway/base/ids.h"

namespace headway {

// The kinds take nodes in the order of the flows; `fraction`, `random` and `rest` choose among the nodes that
// no earlier flow of a kind other than `all` has taken.
struct SourcesSpec {
  enum class Kind { all, fraction, first, nodes, random, rest };
  Kind kind = Kind::all;
  double fraction = 1.0;            // of all nodes, spread evenly (fraction) or drawn from the seed (random)
  std::int64_t first = 0;           // nodes 0 .. first-1
  std::vector<std::int64_t> nodes;  // by id
};

struct FlowSources {
  SourcesSpec spec;
  std::string key;  // where it stands in the spec, for mistakes: "traffic.flow[1].sources"
};

// The sources of every flow, ascending. Flows whose sources cannot be had get none, and a mistake.
std::vector<std::vector<NodeId>> choose_sources(const std::vector<FlowSources>& flows, std::uint32_t nodes,
                                                std::uint64_t seed, Mistakes& mistakes);

}  // namespace headway
