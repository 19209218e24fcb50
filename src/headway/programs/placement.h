// SPDX-License-Identifier: Apache-2.0
// The nodes on which the ranks of a job run.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "headway/base/ids.h"
#include "headway/base/rng.h"
#include "headway/config/names.h"
#include "headway/topology/graph.h"

namespace headway {

// The order in which ranks take the nodes of a job.
enum class Placement : std::uint8_t {
  linear,
  random,
  round_robin,
  blocked,
  server,
  random_server,
  rack,
  rail
};

constexpr auto names_in_specs(Placement) {
  return name_list("linear", "random", "round-robin", "blocked", "server", "random-server", "rack", "rail");
}

// Without nodes of several links, these are like others: every node is a server, and leaf switches are racks.
constexpr bool is_about_servers(Placement placement) {
  using enum Placement;
  return placement == server || placement == random_server || placement == rack || placement == rail;
}

// [node of the spec] a number of its server: that of the nodes with scale-up links in one network. Nodes
// without such links are servers themselves.
std::vector<std::uint32_t> servers_of(const Graph& graph);

// The nodes in the order of the placement. Round robin takes the first node of every leaf switch, then the
// second one, and so on; blocked takes all nodes of a leaf switch, then those of the next. The others take
// all nodes of a server, of a rack (the servers at the same leaf switches) or of a rail, then those of the
// next. Random and random server draw the order of nodes, and of servers, from `rng`.
std::vector<NodeId> placed(std::vector<NodeId> nodes, Placement placement, const Graph& graph, Rng rng);

}  // namespace headway
