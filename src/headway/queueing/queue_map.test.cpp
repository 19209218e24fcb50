// SPDX-License-Identifier: Apache-2.0
#include "headway/queueing/queue_map.h"

#include <gmock/gmock.h>

#include <string>

#include "headway/config/assign.h"
#include "headway/queueing/scheme.h"
#include "headway/topology/topology.h"

namespace headway {
namespace {

Graph fat_tree() { return choose(topologies(), "k-ary-n-tree", {{"k", 4}, {"n", 2}})->build({}); }

TEST(QueueMap, SeparatesAllOnlyWithAQueuePerOutputOrDestination) {
  std::vector<std::string> separate;
  for (const Entry<Scheme>& scheme : schemes())
    if (scheme.make()->build(fat_tree()).separates_all()) separate.emplace_back(scheme.name);
  EXPECT_THAT(separate, ::testing::UnorderedElementsAre("voqsw", "voqnet"));
}

}  // namespace
}  // namespace headway
