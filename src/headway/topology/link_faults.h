// SPDX-License-Identifier: Apache-2.0
// Links between switches that have failed or are slow, in any topology.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "headway/config/names.h"
#include "headway/topology/graph.h"

namespace headway {

// A choice of links between switches: named links, and a fraction of all links that is drawn at random.
struct ChosenLinks {
  double part = 0;
  std::vector<std::string> at;  // "SWITCH:PORT", either end, by name or number
  std::int64_t seed = 1;
};

// How two nodes without a path between them are treated.
enum class Unreachable : std::uint8_t {
  mistake,
  reported,  // they exchange no messages, and the result reports them
};
constexpr auto names_in_specs(Unreachable) { return name_list("mistake", "reported"); }

struct LinkFaults {
  ChosenLinks failed;
  std::vector<std::string> repaired;  // links of `failed`, as in ChosenLinks::at; no key: what_if.repaired
  Unreachable unreachable = Unreachable::mistake;
  ChosenLinks slow;
  double slow_rate = 0.5;  // fraction of a slow link's own rate, rounded to millionths
};

// Links fail or become slow. Throws SpecError (keys "network.failures", "network.degraded",
// "what_if.repaired") if a name is not a link between switches, or not that of a failed one, or if nodes
// cannot reach each other and `unreachable` is `mistake`.
void apply(const LinkFaults& faults, Graph& graph);

// The links that fail, as named_link reads them. `graph` is without faults.
std::vector<std::string> failed_links(const LinkFaults& faults, const Graph& graph);

}  // namespace headway
