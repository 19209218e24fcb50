// SPDX-License-Identifier: Apache-2.0
// A run on a small tree with several shortest paths, for relations between routings that choose among them.
#pragma once

#include <fmt/format.h>

#include <string_view>

#include "headway/config/toml.h"
#include "tests/relations/relations.h"

namespace headway::test {

struct TreeOfChoices {
  std::string_view routing;  // keys of [routing]
  std::string_view flow;     // keys of its only flow
  std::string_view scheme;
  std::string_view network = "";  // more keys of [network]
  int seed = 1;
};

inline Result result_of_tree(const TreeOfChoices& tree) {
  return result_of(parse_toml(fmt::format(R"(
seed = {}
[network]
topology = "pgft"
radix = 8
nodes = 32
link = {{ rate = "1 GB/s", delay = "10 ns" }}
{}
[routing]
{}
[switch]
scheme = "{}"
flow_control = "lane-credits"
input_memory = "4 KiB"
[traffic]
packet = "64 B"
flow = [{{ {} }}]
[measure]
warmup = "20 us"
duration = "40 us"
)",
                                          tree.seed, tree.network, tree.routing, tree.scheme, tree.flow),
                              "test"));
}

}  // namespace headway::test
