// SPDX-License-Identifier: Apache-2.0
// Uniform traffic on a 4-ary 3-tree over routes for any graph. Of the 63 other nodes, 3 are at the same leaf,
// 12 more below the same four switches of the second level, and 48 elsewhere. With a queue per destination,
// only links that all paths of a part share limit the traffic of that part.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "headway/config/toml.h"
#include "headway/run/run.h"
#include "headway/spec/read_spec.h"

namespace headway {
namespace {

constexpr double kNearlyFull = 0.95;

double accepted_on_tree(const std::string& routing, const std::string& failed = "0",
                        const std::string& flow = "", std::uint64_t seed = 1) {
  Mistakes mistakes;
  const std::string text =
      "[network]\ntopology = \"k-ary-n-tree\"\nk = 4\nn = 3\nfailures.links = " + failed + "\n[routing]\n" +
      routing + R"(
[switch]
scheme = "voqnet"
[measure]
warmup = "60 us"
duration = "40 us"
[[traffic.flow]]
load = 0.95
)" + flow;
  EventSpec spec = std::get<EventSpec>(read_spec(parse_toml(text, "x"), mistakes).spec);
  mistakes.throw_if_any();
  spec.seed = seed;
  return run(spec).metric("accepted_load");
}

// The sixteen nodes below a switch of the second level send a quarter of their packets to it. All that go
// further leave it by one link. The tables of OpenSM's updn carry the same.
TEST(AnyGraphOnATree, UpDownBalancedByDestinationsSharesOneLinkUp) {
  EXPECT_NEAR(accepted_on_tree("algorithm = \"up-down\"\nbalance = \"destinations\""),
              kNearlyFull * 15 / 63 + 1.0 / 4, 0.01);
}

// All that sixteen nodes send further shares one link.
TEST(AnyGraphOnATree, LashSharesOneLinkOfAllLinksUp) {
  EXPECT_NEAR(accepted_on_tree("algorithm = \"lash\""), kNearlyFull * 15 / 63 + 1.0 / 16, 0.01);
}

TEST(AnyGraphOnATree, UpDownAndDfssspCarryAsMuchAsDet) {
  const double det = accepted_on_tree("algorithm = \"det\"");
  EXPECT_GT(det, 0.85);
  EXPECT_NEAR(accepted_on_tree("algorithm = \"dfsssp\""), det, 0.02);
  const double whole = accepted_on_tree("algorithm = \"up-down\"");
  EXPECT_NEAR(whole, det, 0.02);
  EXPECT_LT(accepted_on_tree("algorithm = \"up-down\"", "0.1"), whole - 0.1);
}

// Each node sends to one other node. How many of these flows share a link is the luck of the hash.
TEST(AnyGraphOnATree, SeedsShowTheLuckOfEcmp) {
  const auto shift = [](const char* routing, std::uint64_t seed) {
    return accepted_on_tree(routing, "0", "pattern = \"next-group\"\nsize = 1\nby = 16", seed);
  };
  constexpr const char *kByHash = "algorithm = \"ecmp\"", *kOneHash = "algorithm = \"ecmp\"\nsalt = 0";
  const double first = shift(kByHash, 1);
  double least = first, most = first;
  for (std::uint64_t seed = 2; seed <= 8; ++seed) {
    least = std::min(least, shift(kByHash, seed));
    most = std::max(most, shift(kByHash, seed));
    EXPECT_NEAR(shift(kOneHash, seed), first, 0.01) << seed;
  }
  EXPECT_GT(most - least, 0.05);
}

}  // namespace
}  // namespace headway
