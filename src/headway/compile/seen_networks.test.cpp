// SPDX-License-Identifier: Apache-2.0
// A network is built once for all specs that have it.
#include "headway/compile/seen_networks.h"

#include <gtest/gtest.h>

#include "headway/config/assign.h"
#include "headway/spec/write_spec.h"

namespace headway {
namespace {

TEST(SeenNetworks, BuildsWhatDiffersAndNothingTwice) {
  SeenNetworks networks(UINT64_MAX);
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

TEST(SeenNetworks, CountsSourcesOnce) {
  SeenNetworks networks(UINT64_MAX);
  EventSpec spec;
  spec.traffic.flows[0].sources = {.kind = SourcesSpec::Kind::fraction, .fraction = 0.25};
  SeenNetwork& network = networks.network(spec.network, resolved(spec));
  const SeenSources& sources = SeenNetworks::sources(network, spec, resolved(spec));
  EXPECT_EQ(sources.count, std::vector<std::size_t>{network.nodes / 4});
  EXPECT_TRUE(sources.wrong.empty());
  spec.traffic.flows[0].load.points[0].load = 0.5;
  EXPECT_EQ(&SeenNetworks::sources(network, spec, resolved(spec)), &sources);
  spec.traffic.flows[0].sources = {.kind = SourcesSpec::Kind::first, .first = 1'000'000};
  const SeenSources& none = SeenNetworks::sources(network, spec, resolved(spec));
  ASSERT_EQ(none.wrong.size(), 1U);
  EXPECT_EQ(none.wrong[0].key, "traffic.flow[0].sources");
}

TEST(SeenNetworks, ForgetsBeforeTheyFillTheMemory) {
  SeenNetworks networks(UINT64_MAX);
  for (int delay = 1; delay <= 8; ++delay) {
    EventSpec spec;
    spec.network.topology = choose(topologies(), "k-ary-n-tree", {{"k", 16}, {"n", 4}});
    spec.network.link.delay = Duration{delay};
    EXPECT_TRUE(networks.network(spec.network, resolved(spec)).graph);
    EXPECT_LE(networks.held(), 512U << 20);
  }
}

TEST(SeenNetworks, BuildsNoMoreThanItMay) {
  EventSpec spec;
  spec.network.topology = choose(topologies(), "k-ary-n-tree", {{"k", 8}, {"n", 4}});
  SeenNetworks networks(graph_memory(*spec.network.topology) * 3 / 2);
  EXPECT_TRUE(networks.network(spec.network, resolved(spec)).graph);
  EXPECT_FALSE(networks.left_out());
  spec.network.link.delay = Duration{8};
  const SeenNetwork& second = networks.network(spec.network, resolved(spec));
  EXPECT_FALSE(second.graph);
  EXPECT_TRUE(networks.left_out());
  EXPECT_EQ(second.nodes, 4096U);
  EXPECT_TRUE(second.wrong.empty());
}

}  // namespace
}  // namespace headway
