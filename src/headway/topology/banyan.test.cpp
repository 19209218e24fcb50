// SPDX-License-Identifier: Apache-2.0
// Every wiring is a banyan: the destination's digits alone route every pair, and the links between two stages
// are a permutation.
#include "headway/topology/banyan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace headway {
namespace {

// Returns the network output that a packet reaches.
std::uint32_t route(const Banyan& net, std::uint32_t source, std::uint32_t destination) {
  std::uint32_t position = net.link_to[0][source];
  for (std::uint32_t stage = 0; stage < net.stages; ++stage)
    position = net.link_to[stage + 1][position / net.fan_in * net.fan_out + net.port(stage, destination)];
  return position;
}

TEST(Banyan, EveryPairIsRoutedInEveryWiring) {
  struct Case {
    std::uint32_t fan_in, fan_out, stages;
  };
  for (const auto& wiring : wirings())
    for (const Case& c : {Case{2, 2, 1}, {2, 2, 3}, {2, 2, 6}, {3, 3, 3}, {4, 4, 3}, {4, 2, 3}, {2, 3, 4}}) {
      if (c.fan_in != c.fan_out && !wiring.rectangular) continue;
      const Banyan net = make_banyan(wiring.name, c.fan_in, c.fan_out, c.stages);
      for (const auto& links : net.link_to) {
        const std::set<std::uint32_t> ends(links.begin(), links.end());
        EXPECT_EQ(ends.size(), links.size()) << wiring.name;
        EXPECT_EQ(*ends.rbegin(), links.size() - 1) << wiring.name;
      }
      for (std::uint32_t source = 0; source < net.inputs(); ++source)
        for (std::uint32_t destination = 0; destination < net.outputs(); ++destination)
          ASSERT_EQ(route(net, source, destination), destination)
              << wiring.name << " from " << source << " " << c.fan_in << "x" << c.fan_out << "^" << c.stages;
    }
}

// Isomorphism as far as it matters for blocking.
TEST(Banyan, SwitchesOnThePathsToAnOutputHalveFromStageToStage) {
  for (const auto& wiring : wirings()) {
    const Banyan net = make_banyan(wiring.name, 2, 2, 5);
    std::vector<std::set<std::uint32_t>> met(net.stages);  // switches on any path to output 11
    for (std::uint32_t source = 0; source < net.inputs(); ++source) {
      std::uint32_t position = net.link_to[0][source];
      for (std::uint32_t stage = 0; stage < net.stages; ++stage) {
        met[stage].insert(position / 2);
        position = net.link_to[stage + 1][position / 2 * 2 + net.port(stage, 11)];
      }
    }
    for (std::uint32_t stage = 0; stage < net.stages; ++stage)
      EXPECT_EQ(met[stage].size(), 16U >> stage) << wiring.name;
  }
}

TEST(Banyan, KnownFirstLinks) {
  EXPECT_EQ(make_banyan("omega", 2, 2, 3).link_to[0], (std::vector<std::uint32_t>{0, 2, 4, 6, 1, 3, 5, 7}));
  EXPECT_EQ(make_banyan("baseline", 2, 2, 3).link_to[1],
            (std::vector<std::uint32_t>{0, 4, 1, 5, 2, 6, 3, 7}));
  EXPECT_EQ(make_banyan("generalised-cube", 2, 2, 3).link_to[0],
            (std::vector<std::uint32_t>{0, 4, 2, 6, 1, 5, 3, 7}));
}

TEST(Banyan, RefusesWhatDoesNotExist) {
  EXPECT_THROW(make_banyan("omgea", 2, 2, 3), std::invalid_argument);
  EXPECT_THROW(make_banyan("baseline", 4, 2, 3), std::invalid_argument);
}

TEST(Banyan, ExactLog) {
  EXPECT_EQ(exact_log(2, 64), 6U);
  EXPECT_EQ(exact_log(4, 64), 3U);
  EXPECT_EQ(exact_log(2, 48), 0U);
  EXPECT_EQ(exact_log(3, 0), 0U);
}

}  // namespace
}  // namespace headway
