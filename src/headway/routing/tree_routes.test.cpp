// SPDX-License-Identifier: Apache-2.0
// Routes in trees of any shape: the closed form of D-mod-K, its agreement with DET in k-ary n-trees, and its
// known conflicts (Zahavi 2010).
#include <gtest/gtest.h>

#include <algorithm>

#include "headway/config/assign.h"
#include "headway/routing/routes.h"
#include "headway/routing/routing.h"
#include "headway/topology/topology.h"
#include "headway/topology/tree.h"
#include "tests/support/walk.h"

namespace headway {
namespace {

using Numbers = std::vector<std::int64_t>;
using TreeUp = RouteTable::TreeUp;

Graph pgft(const Numbers& children, const Numbers& parents, const Numbers& links) {
  return choose(topologies(), "pgft", {{"children", children}, {"parents", parents}, {"links", links}})
      ->build({});
}
RouteTable routes(const Graph& graph, TreeUp up) {
  return RouteTable::tree(std::get<TreeShape>(graph.shape()), up);
}

// Up port floor(d / (w_1 ... w_l)) mod (w_{l+1} p_{l+1}) at level l (Zahavi 2010, section 4), and down the
// link of the same number that a packet to d takes up.
TEST(TreeRoutes, UpPortsAreThoseOfDModK) {
  const std::uint32_t m[] = {6, 3, 4}, w[] = {1, 3, 2}, p[] = {1, 2, 3};
  const Graph graph = pgft({6, 3, 4}, {1, 3, 2}, {1, 2, 3});
  const RouteTable det = choose(routings(), "det")->build(graph).table;
  for (SwitchId sw = 0; sw < graph.switches(); ++sw)
    for (NodeId d = 0; d < graph.nodes(); ++d) {
      const auto l = static_cast<std::size_t>(graph.stage_of(sw));
      std::uint32_t ways = 1, below = 1;  // w_1 ... w_l and m_1 ... m_{l-1}
      for (std::size_t i = 0; i <= l; ++i) ways *= w[i];
      for (std::size_t i = 0; i < l; ++i) below *= m[i];
      const PortRange port = det.at(sw, d);
      ASSERT_EQ(port.count, 1U);
      if (port.first >= m[l] * p[l])
        EXPECT_EQ(port.first - m[l] * p[l], d / ways % (w[l + 1] * p[l + 1])) << sw << ' ' << d;
      else
        EXPECT_EQ(port.first, d / below % m[l] * p[l] + d / (ways / w[l]) % (w[l] * p[l]) / w[l]);
    }
}

TEST(TreeRoutes, AreDetInKAryNTrees) {
  for (const auto& [k, n] : {std::pair{2U, 4U}, {3U, 3U}, {5U, 1U}}) {
    TreeShape shape = k_ary_tree(k, n);
    for (const bool renamed : {false, true}) {
      if (renamed)
        for (NodeId node = 0; node < shape.nodes(); ++node)
          shape.place_of.push_back((node * 7 + 3) % shape.nodes());
      for (const bool by_destination : {false, true}) {
        const TreeRoutes general(shape, by_destination ? one_candidate(shape) : all_candidates(shape));
        const RouteTable fast =
            RouteTable::tree(shape, by_destination ? TreeUp::destination_digit : TreeUp::random);
        for (SwitchId sw = 0; sw < shape.first_switch(n); ++sw)
          for (NodeId node = 0; node < shape.nodes(); ++node)
            ASSERT_EQ(general.at(sw, node), fast.at(sw, node)) << k << ' ' << n << ' ' << sw << ' ' << node;
      }
    }
  }
}

// The largest number of pairs of a shift on one link, over all shifts.
std::uint32_t most_flows_of_a_shift(const Graph& graph, const RouteTable& table) {
  std::uint32_t most = 0;
  for (NodeId by = 1; by < graph.nodes(); ++by) {
    std::vector<std::uint32_t> flows(graph.ports(), 0);
    for (NodeId node = 0; node < graph.nodes(); ++node)
      test::walk(graph, table, node, (node + by) % graph.nodes(),
                 [&](PortId output) { most = std::max(most, ++flows[output]); });
  }
  return most;
}

// With as many up ports as down ports on every level, no link carries two flows of a shift.
TEST(TreeRoutes, DAndSModKCarryEveryShiftWithoutConflict) {
  for (const Graph& graph :
       {pgft({4, 8}, {1, 4}, {1, 1}), pgft({4, 4}, {1, 2}, {1, 2}), pgft({4, 4, 8}, {1, 4, 4}, {1, 1, 1}),
        pgft({4, 2, 4}, {1, 2, 2}, {1, 2, 2}), pgft({6, 6, 2}, {1, 3, 2}, {1, 2, 6}),
        pgft({6, 3, 5}, {1, 3, 2}, {1, 2, 3}), pgft({2, 2, 2, 2}, {1, 2, 1, 2}, {1, 1, 2, 2})}) {
    SCOPED_TRACE(graph.nodes());
    for (const TreeUp up : {TreeUp::destination_digit, TreeUp::source_digit})
      EXPECT_EQ(most_flows_of_a_shift(graph, routes(graph, up)), 1U) << static_cast<int>(up);
  }
}

// With 2:1 oversubscription, two flows share a link, which is the minimum.
TEST(TreeRoutes, OversubscribedTreesShareEvenly) {
  for (const Graph& graph : {pgft({4, 4}, {1, 2}, {1, 1}), pgft({8, 4, 4}, {1, 4, 2}, {1, 1, 2})})
    EXPECT_EQ(most_flows_of_a_shift(graph, routes(graph, TreeUp::destination_digit)), 2U);
}

// Going down, the parallel links of a child are candidates, too, if the destination does not determine one.
TEST(TreeRoutes, OffersAllPortsUpAndAllParallelLinksDown) {
  const Graph graph = pgft({4, 4}, {1, 2}, {1, 3});
  const RouteTable all = choose(routings(), "random-up")->build(graph).table;
  EXPECT_EQ(all.at(0, 2), (PortRange{2, 1}));
  EXPECT_EQ(all.at(0, 9), (PortRange{4, 6}));
  EXPECT_EQ(all.at(4, 9), (PortRange{6, 3}));
  const RouteTable by_sum = routes(graph, TreeUp::digit_sum);
  EXPECT_EQ(by_sum.of_pair(0, 3, 9), (PortRange{4 + (3 + 9) % 6, 1}));
  EXPECT_EQ(by_sum.of_pair(4, 3, 9), (PortRange{6 + (3 / 2 + 9 / 2) % 3, 1}));
}

// Restricted adaptive routing (Rocher-Gonzalez et al., arXiv 2502.00597): elsewhere the port of DET, and
// never a port outside of the block of DET's port.
TEST(TreeRoutes, ChoicesCanBeRestrictedToStagesAndPorts) {
  for (const Graph& graph : {pgft({4, 4, 4}, {1, 4, 4}, {1, 1, 1}), pgft({4, 2, 4}, {1, 2, 2}, {1, 2, 2})}) {
    const auto& tree = std::get<TreeShape>(graph.shape());
    const RouteTable det = routes(graph, TreeUp::destination_digit), all = routes(graph, TreeUp::random);
    for (const std::int64_t stage : {0, 1, 2})
      for (const std::int64_t among : {1, 2, 4}) {
        const RouteTable some =
            choose(routings(), "adaptive", {{"choose_in", Numbers{stage}}, {"choose_among", among}})
                ->build(graph)
                .table;
        for (SwitchId sw = 0; sw < graph.switches(); ++sw)
          for (NodeId node = 0; node < graph.nodes(); ++node) {
            const PortRange one = det.at(sw, node), many = all.at(sw, node), found = some.at(sw, node);
            const bool goes_up = one.first >= tree.down_ports(graph.stage_of(sw));
            if (graph.stage_of(sw) != stage) {
              ASSERT_EQ(found, one) << sw << ' ' << node;
            } else if (!goes_up) {
              ASSERT_EQ(found, many) << sw << ' ' << node;
            } else {
              ASSERT_EQ(found.count, among);
              ASSERT_EQ((found.first - many.first) % among, 0);
              ASSERT_LE(found.first, one.first);
              ASSERT_LT(one.first, found.first + found.count);
            }
          }
      }
  }
}

TEST(TreeRoutes, RestrictionsThatDoNotFitTheNetworkAreMistakes) {
  const auto mistake = [](const Graph& graph, Arguments keys) {
    try {
      choose(routings(), "adaptive", keys)->build(graph);
    } catch (const SpecError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const Graph tree = pgft({4, 4}, {1, 6}, {1, 1});
  EXPECT_EQ(mistake(tree, {{"choose_in", Numbers{2}}}),
            "routing.choose_in: the stages of this tree are 0 to 1");
  EXPECT_EQ(mistake(tree, {{"choose_among", 4}}),
            "routing.choose_among: 4 does not divide the 6 ports up of stage 0");
  EXPECT_EQ(mistake(choose(topologies(), "mesh")->build({}), {{"choose_among", 2}}),
            "routing.choose_among: restricts choices in trees without failures, and this is a mesh; omit it");
}

}  // namespace
}  // namespace headway
