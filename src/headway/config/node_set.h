// SPDX-License-Identifier: Apache-2.0
// A set of nodes as a spec names it: the sources of a flow, its destinations, the nodes of a trace. Written
// as "all", or as a table with one key, such as { first = 8 } or { nodes = [3, 7, "8-15"] }. What the kinds
// mean is in traffic/sources.h.
#pragma once

#include <cstdint>
#include <vector>

namespace headway {

struct NodeSet {
  enum class Kind { all, fraction, first, nodes, random, rest };
  Kind kind = Kind::all;
  double fraction = 1.0;            // of all nodes, spread evenly (fraction) or drawn from the seed (random)
  std::int64_t first = 0;           // nodes 0 .. first-1
  std::vector<std::int64_t> nodes;  // by id, as written
};

}  // namespace headway
