// SPDX-License-Identifier: Apache-2.0
// The topology family: parameters in, Graph out. A topology never names a routing.
#pragma once

#include <string>
#include <vector>

#include "headway/base/error.h"
#include "headway/config/parameters.h"
#include "headway/config/registry.h"
#include "headway/topology/graph.h"

namespace headway {

// What a network's switches and nodes are called besides their numbers.
struct NetworkNames {
  std::vector<std::string> switches;  // [switch], or empty
  std::vector<std::string> nodes;     // [node], or empty
};

class Topology {
 public:
  virtual ~Topology() = default;
  virtual void describe(Parameters& parameters) = 0;
  // Adds what is wrong across parameters, under keys "network.<parameter>". Called before the others.
  virtual void check(Mistakes&) const {}
  virtual std::int64_t nodes() const = 0;            // end nodes, without building
  virtual std::int64_t switch_ports() const = 0;     // of all switches, without building
  virtual NetworkNames names() const { return {}; }  // of switches and nodes, without building
  virtual Graph build(
      const Link& link) const = 0;  // `link` is used wherever the topology gives no link of its own
};

Registry<Topology> topologies();

}  // namespace headway
