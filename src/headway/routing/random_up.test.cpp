// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "headway/config/assign.h"
#include "headway/routing/routes.h"
#include "headway/routing/routing.h"
#include "headway/topology/topology.h"

namespace headway {
namespace {

TEST(RandomUp, OffersAllUpPortsAndOneDownPort) {
  const Graph graph = choose(topologies(), "k-ary-n-tree", {{"k", 4}, {"n", 2}})->build({});
  const RouteTable routes = choose(routings(), "random-up")->build(graph).table;
  EXPECT_EQ(routes.at(0, 3), (PortRange{3, 1}));
  EXPECT_EQ(routes.at(0, 4), (PortRange{4, 4}));
  EXPECT_EQ(routes.at(4, 13), (PortRange{3, 1}));
}

TEST(RandomUp, RefusesANetworkWithoutUpPorts) {
  const Graph graph = choose(topologies(), "single-switch")->build({});
  EXPECT_THROW(choose(routings(), "random-up")->build(graph), SpecError);
}

}  // namespace
}  // namespace headway
