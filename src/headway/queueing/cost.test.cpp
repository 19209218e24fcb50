// SPDX-License-Identifier: Apache-2.0
// The cost model gives every byte count of OBQA's Table 3, with the queues the schemes really build.
#include "headway/queueing/cost.h"

#include <gtest/gtest.h>

#include "headway/config/assign.h"
#include "headway/queueing/scheme.h"
#include "headway/topology/topology.h"

namespace headway {
namespace {

TEST(Cost, GivesTheBytesOfTable3) {
  for (const PublishedCost& cost : published_costs())
    EXPECT_EQ(minimum_memory(cost.queues), cost.memory) << cost.scheme << ' ' << cost.queues;
}

TEST(Cost, UsesTheQueuesThatTheSchemesBuildOnThePapersNetworks) {
  const struct {
    const char* scheme;
    std::int64_t k, n;
    Bytes memory;
  } cases[] = {
      {"voqnet", 4, 4, {32768}}, {"voqnet", 4, 3, {8192}}, {"voqsw", 16, 2, {4096}}, {"voqsw", 4, 4, {1024}}};
  for (const auto& c : cases) {
    const Graph graph = choose(topologies(), "k-ary-n-tree", {{"k", c.k}, {"n", c.n}})->build({});
    EXPECT_EQ(minimum_memory(choose(schemes(), c.scheme)->build(graph).queues), c.memory)
        << c.scheme << ' ' << c.k;
  }
}

TEST(Cost, QuotesAnAreaOnlyWhereOneWasPublished) {
  EXPECT_EQ(published_area_mm2("obqa", 4), 0.00647);
  EXPECT_EQ(published_area_mm2("obqa", 3), std::nullopt);
  EXPECT_EQ(published_area_mm2("1q", 1), std::nullopt);
}

}  // namespace
}  // namespace headway
