// SPDX-License-Identifier: Apache-2.0
// Traffic in disconnected networks: what remains of it, and how much the results report as cut off.
#include "headway/compile/cut_off.h"

#include <gmock/gmock.h>

#include <map>

#include "headway/compile/build.h"
#include "headway/config/assign.h"
#include "headway/run/run.h"
#include "headway/topology/link_faults.h"
#include "tests/reference/agreement.h"

namespace headway {
namespace {

using testing::ElementsAre;

// The 2-ary 3-tree without the up links of leaf 0: nodes 0 and 1 can reach only each other.
EventSpec apart(std::string_view routing, std::string_view pattern = "uniform") {
  EventSpec spec;
  spec.network.topology = choose(topologies(), "k-ary-n-tree", {{"k", 2}, {"n", 3}});
  spec.network.faults.failed.at = {"0:2", "0:3"};
  spec.network.faults.unreachable = Unreachable::reported;
  spec.routing.algorithm = choose(routings(), routing);
  FlowSpec flow;
  flow.pattern = choose(patterns(), pattern);
  flow.load.points = {{Duration{0}, 0.7}};
  spec.traffic.flows = {flow};
  spec.measure.warmup = Duration{2'000};
  spec.measure.duration = Duration{200'000};
  return spec;
}

std::shared_ptr<const PathsLeft> paths_of(const Model& model) { return model.cut_off.paths; }

// A message of node 0 would need 10^12 draws until one of them is node 1.
TEST(CutOff, ASourceWithHardlyAnyTrafficLeftSendsNone) {
  const Model model = build(apart("up-down"));
  const std::vector<NodeId> all = {0, 1, 2, 3, 4, 5, 6, 7};
  const auto hot = std::shared_ptr<const Destinations>(
      choose(patterns(), "hotspot", {{"destination", 5}, {"fraction", 1 - 1e-12}})->build(8, 1));
  const DestinationsLeft left(hot, paths_of(model), all);
  EXPECT_EQ(left.share_left(0), 0);
  Rng rng(1, 0);
  EXPECT_EQ(left.next(0, rng), kNone);
  EXPECT_EQ(left.next(7, rng), 5U);
}

TEST(CutOff, LeavesTheOtherDestinationsTheirShares) {
  const Model model = build(apart("up-down"));
  const std::vector<NodeId> all = {0, 1, 2, 3, 4, 5, 6, 7};
  const auto uniform = std::shared_ptr<const Destinations>(choose(patterns(), "uniform")->build(8, 1));
  const DestinationsLeft left(uniform, paths_of(model), all);
  EXPECT_NEAR(left.share_left(0), 1.0 / 7, 1e-9);
  EXPECT_NEAR(left.load_of(0), 1.0 / 7, 1e-9);
  EXPECT_NEAR(left.load_of(5), 5.0 / 7, 1e-9);
  EXPECT_EQ(left.load_of(2), left.load_of(7)) << "the same flow serves both";
  std::map<NodeId, double> shares;
  left.shares(5, [&](NodeId node, double share) { shares[node] += share; });
  ASSERT_EQ(shares.size(), 5U);
  for (const auto& [node, share] : shares) {
    EXPECT_GE(node, 2U);
    EXPECT_NEAR(share, 0.2, 1e-9);
  }
  Rng rng(1, 0);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(left.next(0, rng), 1U);
    EXPECT_GE(left.next(5, rng), 2U);
  }
}

// Nodes 0 and 1 exchange messages only with nodes 7 and 6, which they cannot reach: all four are silent.
TEST(CutOff, SilencesSourcesWithoutAnyWay) {
  const Model model = build(apart("up-down"));
  const std::vector<NodeId> all = {0, 1, 2, 3, 4, 5, 6, 7};
  const auto pattern = std::shared_ptr<const Destinations>(choose(patterns(), "complement")->build(8, 1));
  const DestinationsLeft left(pattern, paths_of(model), all);
  Rng rng(1, 0);
  for (const NodeId node : {0U, 1U, 6U, 7U}) {
    EXPECT_EQ(left.next(node, rng), kNone);
    EXPECT_EQ(left.load_of(node), 1);
    left.shares(node, [](NodeId, double) { ADD_FAILURE(); });
  }
  EXPECT_EQ(left.next(2, rng), 5U);
}

class ThreeMessages final : public MessageList {
  struct Cursor final : MessageCursor {
    std::vector<TimedMessage> left = {{3, 4, 7, 64}, {2, 0, 7, 64}, {1, 0, 1, 64}};
    std::optional<TimedMessage> next() override {
      if (left.empty()) return std::nullopt;
      const TimedMessage message = left.back();
      left.pop_back();
      return message;
    }
    std::uint64_t skipped_records() const override { return 10; }
  };
  std::unique_ptr<MessageCursor> open() const override { return std::make_unique<Cursor>(); }
};

TEST(CutOff, SkipsMessagesOfTraces) {
  const Model model = build(apart("up-down"));
  const auto cursor = MessagesLeft(std::make_shared<ThreeMessages>(), paths_of(model)).open();
  EXPECT_EQ(cursor->next()->destination, 1U);
  EXPECT_EQ(cursor->next()->source, 4U);
  EXPECT_EQ(cursor->next(), std::nullopt);
  EXPECT_EQ(cursor->skipped_records(), 11U);
}

// 2 of 8 nodes send 1/7 of their messages, and 6 nodes send 5/7: 4/7 of the load remain.
TEST(CutOff, IsReported) {
  for (const char* routing : {"det", "random-up", "up-down", "dfsssp", "lash", "ecmp", "spray"}) {
    SCOPED_TRACE(routing);
    RunOptions options;
    options.check = true;
    EventSpec spec = apart(routing);
    spec.traffic.flows[0].load.points[0].load = 0.5;  // of which LASH carries all
    const Result result = run(spec, options);
    EXPECT_EQ(result.metric("cut_off_pairs"), 2 * 2 * 6);
    EXPECT_NEAR(result.metric("cut_off_share"), 3.0 / 7, 1e-9);
    EXPECT_NEAR(result.metric("offered_load"), 0.5 * 4 / 7, 0.02);
    EXPECT_NEAR(result.metric("accepted_load"), 0.5 * 4 / 7, 0.02);
    ASSERT_EQ(result.table("cut_off").size(), 3U);
    EXPECT_THAT(result.table("cut_off")[0].values, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
    EXPECT_THAT(result.table("cut_off")[1].values, ElementsAre(1, 1, 5, 5, 5, 5, 5, 5));
    EXPECT_EQ(result.table("cut_off")[1].values, result.table("cut_off")[2].values);
  }
}

TEST(CutOff, IsEmptyInAWholeNetwork) {
  EventSpec spec = apart("det");
  spec.network.faults.failed.at = {"0:2"};
  const Result result = run(spec);
  EXPECT_EQ(result.metric("cut_off_pairs"), 0);
  EXPECT_EQ(result.metric("cut_off_share"), 0);
  ASSERT_EQ(result.table("cut_off").size(), 3U);
  EXPECT_TRUE(result.table("cut_off")[0].values.empty());
  spec.network.faults.failed = {};
  EXPECT_EQ(run(spec).metric("cut_off_pairs"), 0);
  spec.network.faults = {};
  EXPECT_TRUE(run(spec).table("cut_off").empty());
}

TEST(CutOff, AgreesWithTheReferenceSimulator) {
  for (const char* routing : {"det", "random-up", "up-down", "dfsssp"})
    for (const char* pattern : {"uniform", "complement"}) {
      SCOPED_TRACE(testing::Message() << routing << ' ' << pattern);
      EXPECT_EQ(reference::disagreement(apart(routing, pattern), Duration{3'000}, true), "");
    }
}

TEST(CutOff, IsAMistakeUnlessItIsToBeReported) {
  EventSpec spec = apart("up-down");
  spec.network.faults.unreachable = Unreachable::mistake;
  EXPECT_THROW(build(spec), SpecError);
}

}  // namespace
}  // namespace headway
