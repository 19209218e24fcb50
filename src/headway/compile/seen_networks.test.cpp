// SPDX-License-Identifier: Apache-2.0
// A network is built once for all specs that have it.
#include "headway/compile/seen_networks.h"

#include <gtest/gtest.h>

#include "headway/config/assign.h"
#include "headway/spec/write_spec.h"

namespace headway {
namespace {

constexpr std::uint64_t kLargest = 256 << 20;

TEST(SeenNetworks, BuildsWhatDiffersAndNothingTwice) {
  SeenNetworks networks(kLargest);
  EventSpec spec;
  SeenNetwork& first = networks.network(spec.network, resolved(spec));
  SeenRoutes& routes = SeenNetworks::routes(first, spec.routing, resolved(spec));
  const Graph* const graph = &*first.graph;
  ASSERT_TRUE(routes.routes);

  EventSpec another = spec;  // as the points of a sweep differ
  another.seed = 7;
  another.traffic.flows[0].load.points[0].load = 0.5;
  another.switches.scheme = choose(schemes(), "voqnet");
  EXPECT_EQ(&*networks.network(another.network, resolved(another)).graph, graph);
  EXPECT_EQ(&SeenNetworks::routes(first, another.routing, resolved(another)), &routes);
  another.routing.algorithm = choose(routings(), "random-up");
  EXPECT_NE(&SeenNetworks::routes(first, another.routing, resolved(another)), &routes);
  another.network.link.delay = Duration{8};
  EXPECT_NE(&*networks.network(another.network, resolved(another)).graph, graph);
}

TEST(SeenNetworks, ForgetsBeforeTheyFillTheMemory) {
  SeenNetworks networks(kLargest);
  for (int delay = 1; delay <= 8; ++delay) {
    EventSpec spec;
    spec.network.topology = choose(topologies(), "k-ary-n-tree", {{"k", 16}, {"n", 4}});
    spec.network.link.delay = Duration{delay};
    EXPECT_TRUE(networks.network(spec.network, resolved(spec)).graph);
    EXPECT_LE(networks.held(), 512U << 20);
  }
}

TEST(SeenNetworks, DoesNotBuildWhatIsTooLarge) {
  SeenNetworks networks(1 << 20);
  EventSpec spec;
  spec.network.topology = choose(topologies(), "k-ary-n-tree", {{"k", 8}, {"n", 4}});
  EXPECT_TRUE(networks.network(spec.network, resolved(spec)).graph);
  spec.network.topology = choose(topologies(), "k-ary-n-tree", {{"k", 16}, {"n", 4}});
  EXPECT_FALSE(networks.left_out());
  const SeenNetwork& large = networks.network(spec.network, resolved(spec));
  EXPECT_FALSE(large.graph);
  EXPECT_TRUE(networks.left_out());
  EXPECT_EQ(large.nodes, 65'536U);
  EXPECT_TRUE(large.wrong.empty());
}

}  // namespace
}  // namespace headway
