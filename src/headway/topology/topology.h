// SPDX-License-Identifier: Apache-2.0
// The topology family: a topology builds a Graph from parameters. It does not depend on the routing.
#pragma once

#include <string>
#include <vector>

#include "headway/base/error.h"
#include "headway/config/parameters.h"
#include "headway/config/registry.h"
#include "headway/topology/graph.h"

namespace headway {

inline constexpr std::int64_t kMostSwitchPorts = 65535;  // local port numbers have 16 bits

// Names of a network's switches and nodes.
struct NetworkNames {
  std::vector<std::string> switches;  // [switch], or empty
  std::vector<std::string> nodes;     // [node], or empty
  // What has a higher number than the nodes is the aggregator of a switch (aggregators.h); 0: that is not
  // known.
  std::uint32_t node_count = 0;
};

class Topology {
 public:
  virtual ~Topology() = default;
  virtual void describe(Parameters&) {}
  // Reports mistakes across parameters, with keys "network.<parameter>". Called before the other functions.
  virtual void check(Mistakes&) const {}
  virtual std::int64_t nodes() const = 0;  // end nodes, without building
  // The links of all nodes, without building; more than nodes if these have several (hosts.h).
  virtual std::int64_t links_of_nodes() const { return nodes(); }
  virtual std::int64_t switch_ports() const = 0;  // of all switches, without building
  // Switches along each dimension, if they are the points of a grid; without building.
  virtual std::vector<std::int64_t> sides() const { return {}; }
  virtual NetworkNames names() const { return {}; }  // of switches and nodes, without building
  // `link` is used for links whose properties the topology does not define.
  virtual Graph build(const Link& link) const = 0;
};

Registry<Topology> topologies();

}  // namespace headway
