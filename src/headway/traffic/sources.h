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
#include "headway/base/rng.h"
#include "headway/config/node_set.h"
#include "headway/traffic/pattern.h"

namespace headway {

// Sources take nodes in the order of the flows; `fraction`, `random` and `rest` choose among the nodes that
// no earlier flow of a kind other than `all` has taken.
struct FlowSources {
  NodeSet spec;
  std::string key;  // its key in the spec, for mistakes: "traffic.flow[1].sources"
};

// The sources of every flow, in ascending order. A flow with invalid sources gets none, and a mistake is
// reported.
std::vector<std::vector<NodeId>> choose_sources(const std::vector<FlowSources>& flows, std::uint32_t nodes,
                                                std::uint64_t seed, Mistakes& mistakes);

// The nodes among `chosen` that send at all. The others are no sources: they offer no load, and no mean over
// the sources counts them.
std::vector<NodeId> senders(std::vector<NodeId> chosen, const Destinations& destinations);

// The nodes of one set, in ascending order. `left` are the nodes that a fraction or the rest is chosen from.
// None if there is a mistake, which is reported under `key`.
std::vector<NodeId> choose_nodes(const NodeSet& set, const std::string& key, std::uint32_t nodes,
                                 const std::vector<NodeId>& left, Rng rng, Mistakes& mistakes);

}  // namespace headway
