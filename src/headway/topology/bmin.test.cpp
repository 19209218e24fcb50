// SPDX-License-Identifier: Apache-2.0
// A BMIN built link by link from its defining permutations is the relabelled k-ary n-tree that bmin.cpp
// builds: the switches of both can be matched from the leaves up without contradiction.
#include <gtest/gtest.h>

#include <string>

#include "headway/config/assign.h"
#include "headway/topology/banyan.h"
#include "headway/topology/topology.h"

namespace headway {
namespace {

// Position q of stage s (switch q / k, port q % k) leads up to position next(s, q) of stage s + 1.
std::uint32_t next_position(const std::string& wiring, std::uint32_t s, std::uint32_t q, std::uint32_t k,
                            std::uint32_t n) {
  if (wiring == "shuffle") return make_banyan("delta", k, k, n).link_to[s + 1][q];
  std::uint32_t weight = 1;
  for (std::uint32_t i = 0; i <= s; ++i) weight *= k;
  const std::uint32_t last = q % k, other = q / weight % k;
  return q - last - other * weight + other + last * weight;
}

class BminWiring : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Wirings, BminWiring, testing::Values("shuffle", "butterfly"),
                         [](const auto& wiring) { return wiring.param; });

TEST_P(BminWiring, IsTheRelabelledTree) {
  for (const auto& [k, n] : {std::pair{2U, 4U}, {4U, 3U}, {3U, 3U}, {5U, 1U}, {4U, 2U}}) {
    std::uint32_t nodes = 1;
    for (std::uint32_t i = 0; i < n; ++i) nodes *= k;
    const Graph graph =
        choose(topologies(), "bmin", {{"nodes", nodes}, {"radix", 2 * k}, {"wiring", GetParam()}})->build({});
    const std::uint32_t per_stage = nodes / k;
    ASSERT_EQ(graph.switches(), n * per_stage);
    // [switch of the permutations] -> switch of the graph
    std::vector<SwitchId> twin(graph.switches(), kNone);
    for (NodeId node = 0; node < nodes; ++node) {
      const PortId port = graph.peer_of(graph.node_port(node));
      EXPECT_EQ(graph.local(port), node % k);
      if (twin[node / k] == kNone) twin[node / k] = graph.switch_of(port);
      EXPECT_EQ(twin[node / k], graph.switch_of(port)) << node;
    }
    for (std::uint32_t s = 0; s + 1 < n; ++s)
      for (std::uint32_t q = 0; q < nodes; ++q) {
        const std::uint32_t to = next_position(GetParam(), s, q, k, n);
        const SwitchId above = (s + 1) * per_stage + to / k;
        const PortId port = graph.peer_of(graph.port(twin[s * per_stage + q / k], k + q % k));
        EXPECT_EQ(graph.local(port), to % k);
        if (twin[above] == kNone) twin[above] = graph.switch_of(port);
        EXPECT_EQ(twin[above], graph.switch_of(port)) << k << ' ' << n << ' ' << s << ' ' << q;
      }
  }
}

TEST(Bmin, HasTheSwitchesOfThePapers) {
  for (const auto& [nodes, switches] : {std::pair{64, 48U}, {256, 256U}})
    EXPECT_EQ(choose(topologies(), "bmin", {{"nodes", nodes}})->build({}).switches(), switches);
}

TEST(Bmin, RefusesWhatNoStagesReach) {
  for (const auto& [nodes, radix] : {std::pair{64, 7}, {60, 8}}) {
    Mistakes mistakes;
    choose(topologies(), "bmin", {{"nodes", nodes}, {"radix", radix}})->check(mistakes);
    EXPECT_EQ(mistakes.list().size(), 1U);
  }
}

}  // namespace
}  // namespace headway
