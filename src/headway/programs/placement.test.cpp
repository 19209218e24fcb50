// SPDX-License-Identifier: Apache-2.0
// Placements by what nodes with several links belong to: servers, racks and rails.
#include "headway/programs/placement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "headway/config/assign.h"
#include "headway/topology/topology.h"

namespace headway {
namespace {

using testing::ElementsAre;

// Four servers of two GPUs, two of them at the leaves of a rack.
Graph two_racks() {
  return choose(
             topologies(), "rails",
             {{"servers", std::int64_t{4}}, {"gpus", std::int64_t{2}}, {"servers_per_leaf", std::int64_t{2}}})
      ->build({});
}

std::vector<NodeId> placed_as(Placement placement, std::vector<NodeId> nodes) {
  return placed(std::move(nodes), placement, two_racks(), Rng(1, 1));
}

TEST(Placement, FollowsServersRacksAndRails) {
  EXPECT_THAT(placed_as(Placement::server, {6, 0, 3, 1, 7, 2}), ElementsAre(0, 1, 3, 2, 6, 7));
  EXPECT_THAT(placed_as(Placement::rack, {6, 0, 5, 1, 3}), ElementsAre(0, 1, 3, 6, 5));
  EXPECT_THAT(placed_as(Placement::rail, {0, 1, 2, 3, 4, 5, 6, 7}), ElementsAre(0, 2, 4, 6, 1, 3, 5, 7));
  EXPECT_THAT(servers_of(two_racks()), ElementsAre(0, 0, 2, 2, 4, 4, 6, 6));
}

// Servers stay whole, their order is drawn, and every order can be drawn.
TEST(Placement, DrawsTheOrderOfServers) {
  std::set<std::vector<NodeId>> orders;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const std::vector<NodeId> nodes =
        placed({0, 1, 2, 3, 4, 5, 6, 7}, Placement::random_server, two_racks(), Rng(seed, 1));
    for (std::size_t i = 0; i < nodes.size(); i += 2) {
      EXPECT_EQ(nodes[i] % 2, 0);
      EXPECT_EQ(nodes[i + 1], nodes[i] + 1);
    }
    orders.insert(nodes);
  }
  EXPECT_EQ(orders.size(), 24);
}

// Nodes with one link are servers themselves, and their leaf switches are racks.
TEST(Placement, OfNodesWithOneLinkIsByLeaf) {
  const Graph tree = choose(topologies(), "k-ary-n-tree", {{"k", 2}, {"n", 2}})->build({});
  const auto as = [&](Placement placement) { return placed({3, 1, 2, 0}, placement, tree, Rng(1, 1)); };
  EXPECT_THAT(as(Placement::server), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(as(Placement::rack), ElementsAre(1, 0, 3, 2));
  EXPECT_THAT(as(Placement::rail), ElementsAre(3, 1, 2, 0));
}

}  // namespace
}  // namespace headway
