// SPDX-License-Identifier: Apache-2.0
#include "headway/why/root_groups.h"

#include <gmock/gmock.h>

#include "tests/support/made_waiting.h"

namespace headway {
namespace {

using test::MadeWaiting;

TEST(RootGroups, RootsOfOneStoryAreOneEntry) {
  MadeWaiting made;
  for (const double packets : {10.0, 12.0, 11.0, 0.5})
    made.root({.to_node = packets, .flows = {{"storage", packets, 0}}, .destinations = {{packets, 1}}});
  made.root({.to_node = 3, .flows = {{"background", 9, 0}}});
  made.root({.kind = "input", .to_node = 3, .flows = {{"storage", 8, 0}}});
  const std::vector<WaitedRoot> roots = waited_roots(made.result());
  const std::vector<RootGroup> groups = root_groups(roots);
  ASSERT_EQ(groups.size(), 4U);
  EXPECT_EQ(groups[0].of.flow, "storage");
  EXPECT_EQ(groups[0].packets, 33);
  EXPECT_EQ(groups[0].roots.size(), 3U) << "the one with 0.5 packets is another story";
  EXPECT_EQ(groups[1].of.flow, "background");
  EXPECT_EQ(groups[2].of.kind, RootKind::input);
  EXPECT_EQ(groups[3].packets, 0.5);
  EXPECT_EQ(root_classes(roots).front().roots.size(), 4U);
}

TEST(RootGroups, TheFlowOfHalfThePacketsThatCrossCausesARoot) {
  const auto flow_of = [](double of_a, double of_b, double of_c) {
    MadeWaiting made;
    made.root({.to_node = 1, .flows = {{"a", of_a + 7, 7}, {"b", of_b, 0}, {"c", of_c, 0}}});
    return waited_roots(made.result()).front().of.flow;
  };
  EXPECT_EQ(flow_of(2, 1, 1), "a");
  EXPECT_EQ(flow_of(1, 1, 3), "c");
  EXPECT_EQ(flow_of(1, 1, 1), "");
  EXPECT_EQ(flow_of(0, 0, 0), "") << "all are victims";
}

TEST(RootGroups, HaveNamesInNumberAndPlace) {
  const auto text = [](RootKind kind, bool to_node, int from, int to, std::size_t count) {
    return class_text({.kind = kind, .to_node = to_node, .from_stage = from, .to_stage = to}, count);
  };
  constexpr int kNoStage = RootClass::kNoStage;
  EXPECT_EQ(text(RootKind::link, true, 0, -1, 1), "1 link to nodes");
  EXPECT_EQ(text(RootKind::link, false, 1, 0, 16), "16 links from stage 1 to stage 0");
  EXPECT_EQ(text(RootKind::link, false, kNoStage, kNoStage, 2), "2 links between switches");
  EXPECT_EQ(text(RootKind::input, false, 1, 0, 2), "2 inputs of stage 1 from stage 0, busy elsewhere");
  EXPECT_EQ(text(RootKind::window, true, 0, -1, 2),
            "2 memories behind links from nodes, all slots on the wire");
  EXPECT_EQ(text(RootKind::crossbar, true, 0, -1, 3), "3 crossbar outputs to nodes");
  EXPECT_EQ(text(RootKind::cycle, false, 0, 1, 1), "1 cycle of queues");
  EXPECT_EQ(class_text({.kind = RootKind::link, .from_node = true}), "links from nodes");
  EXPECT_EQ(class_text({.kind = RootKind::outage, .to_node = true}, 2), "2 links to nodes, which are down");
}

}  // namespace
}  // namespace headway
