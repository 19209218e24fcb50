// SPDX-License-Identifier: Apache-2.0
// The nodes that generate the messages of a flow. Their choice matters: sources of a hot spot that are spread
// over a fat-tree cause congestion in the whole tree, whereas the same number in one subtree causes it only
// there.
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
  std::string key;  // its key in the spec, for mistakes: "traffic.flow[1].sources"
};

// The sources of every flow, in ascending order. A flow with invalid sources gets none, and a mistake is
// reported.
std::vector<std::vector<NodeId>> choose_sources(const std::vector<FlowSources>& flows, std::uint32_t nodes,
                                                std::uint64_t seed, Mistakes& mistakes);

}  // namespace headway
