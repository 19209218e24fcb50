// SPDX-License-Identifier: Apache-2.0
#include "headway/slotted/spec.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "headway/config/assign.h"
#include "headway/metrics/result.h"
#include "headway/run/run.h"

namespace headway {
namespace {

SlottedSpec paper_spec(std::int64_t layers) {
  SlottedSpec spec;
  spec.network.topology = choose(topologies(), "omega", {{"layers", layers}});
  spec.load = 0.8;
  spec.hotspot_fraction = 0.05;
  spec.slots = 20'000;
  return spec;
}

TEST(SlottedSpec, RunsLikeAnySpec) {
  const Result result = paper_spec(4).run({}, {});
  EXPECT_EQ(result.status, Status::ok);
  EXPECT_NEAR(result.metric("offered_load"), 0.8, 0.01);
  EXPECT_EQ(result.metric("switching_elements"), 320);
  EXPECT_NEAR(result.metric("class_0_relative_throughput"), 0.8, 0.01);
  EXPECT_GT(result.metric("hotspot_relative_throughput"), 0.5);
  EXPECT_GT(result.metric("cold_5_class_1_normalised_delay"), 1.0);
  const auto interval =
      std::ranges::find(result.intervals, "accepted_load", [](const auto& named) { return named.first; });
  ASSERT_NE(interval, result.intervals.end());
  EXPECT_GT(interval->second, 0);
  EXPECT_LT(interval->second, 0.01);
  EXPECT_EQ(paper_spec(4).run({}, {}).trace_hash, result.trace_hash);
}

TEST(SlottedSpec, SaysWhetherItIsSteady) {
  SlottedSpec spec = paper_spec(1);
  spec.slots = 640;  // 10 per replication
  EXPECT_EQ(spec.run({}, {}).status, Status::too_short);
  spec.slots = 64 * 40;  // the network is empty when they begin
  spec.warmup_slots = 0;
  const Result start = spec.run({}, {});
  EXPECT_EQ(start.status, Status::not_steady);
  EXPECT_NE(start.detail.find("packets per slot in the first half"), std::string::npos);
  spec.warmup_slots = 1000;
  EXPECT_EQ(spec.run({}, {}).status, Status::ok);
}

TEST(SlottedSpec, ListsMakeTheFullTables) {
  SlottedSpec spec;
  spec.network.topology = choose(topologies(), "omega", {{"nodes", 8}});
  spec.classes = 3;
  spec.class_percent = {10, 30, 60};
  spec.stage_buffers = {1, 2, 3};
  EXPECT_EQ(spec.design().buffers, (std::vector<std::vector<std::uint32_t>>{{1}, {2}, {3}}));
  EXPECT_EQ(spec.traffic().shares, (std::vector<double>{0.1, 0.3, 0.6}));
  spec.stage_buffers = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  EXPECT_EQ(spec.design().buffers,
            (std::vector<std::vector<std::uint32_t>>{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}));
}

TEST(SlottedSpec, RefusesWhatCannotBe) {
  const auto keys_of = [](const SlottedSpec& spec) {
    Mistakes mistakes;
    spec.check(mistakes);
    std::vector<std::string> keys;
    for (const Mistake& mistake : mistakes.list()) keys.push_back(mistake.key);
    return keys;
  };
  EXPECT_TRUE(keys_of(paper_spec(4)).empty());
  EXPECT_EQ(keys_of(paper_spec(3)), std::vector<std::string>{"network.layers"});
  SlottedSpec spec = paper_spec(1);
  spec.class_percent = {20, 70};
  spec.stage_buffers = {2, 2};
  EXPECT_EQ(keys_of(spec), (std::vector<std::string>{"switch.stage_buffers", "traffic.class_percent"}));
  EXPECT_THROW(spec.run({}, {}), SpecError);
  spec.network.topology = choose(topologies(), "k-ary-n-tree");
  EXPECT_EQ(keys_of(spec), std::vector<std::string>{"network.topology"});
}

}  // namespace
}  // namespace headway
