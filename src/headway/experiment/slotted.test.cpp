// SPDX-License-Identifier: Apache-2.0
#include "headway/experiment/slotted.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "headway/base/assign.h"
#include "headway/experiment/run.h"

namespace headway {
namespace {

Spec paper_spec(std::int64_t layers) {
  Spec spec;
  spec.network.topology = choose(topologies(), "omega", {{"layers", layers}});
  spec.slotted.emplace();
  spec.slotted->load = 0.8;
  spec.slotted->hotspot_fraction = 0.05;
  spec.slotted->slots = 20'000;
  return spec;
}

TEST(SlottedSpec, RunsLikeAnySpec) {
  const Result result = run(paper_spec(4));
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
  EXPECT_EQ(run(paper_spec(4)).trace_hash, result.trace_hash);
}

TEST(SlottedSpec, SaysWhetherItIsSteady) {
  Spec spec = paper_spec(1);
  spec.slotted->slots = 640;  // 10 per replication
  EXPECT_EQ(run(spec).status, Status::too_short);
  spec.slotted->slots = 64 * 40;  // the network is empty when they begin
  spec.slotted->warmup_slots = 0;
  const Result start = run(spec);
  EXPECT_EQ(start.status, Status::not_steady);
  EXPECT_NE(start.detail.find("packets per slot in the first half"), std::string::npos);
  spec.slotted->warmup_slots = 1000;
  EXPECT_EQ(run(spec).status, Status::ok);
}

TEST(SlottedSpec, ListsMakeTheFullTables) {
  const auto topology = choose(topologies(), "omega", {{"nodes", 8}});
  SlottedSpec spec;
  spec.classes = 3;
  spec.class_percent = {10, 30, 60};
  spec.stage_buffers = {1, 2, 3};
  EXPECT_EQ(design_of(spec, *topology).buffers, (std::vector<std::vector<std::uint32_t>>{{1}, {2}, {3}}));
  EXPECT_EQ(traffic_of(spec).shares, (std::vector<double>{0.1, 0.3, 0.6}));
  spec.stage_buffers = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  EXPECT_EQ(design_of(spec, *topology).buffers,
            (std::vector<std::vector<std::uint32_t>>{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}));
}

TEST(SlottedSpec, RefusesWhatCannotBe) {
  const auto keys_of = [](const Spec& spec) {
    Mistakes mistakes;
    check(*spec.slotted, *spec.network.topology, mistakes);
    std::vector<std::string> keys;
    for (const Mistake& mistake : mistakes.list()) keys.push_back(mistake.key);
    return keys;
  };
  EXPECT_TRUE(keys_of(paper_spec(4)).empty());
  EXPECT_EQ(keys_of(paper_spec(3)), std::vector<std::string>{"network.layers"});
  Spec spec = paper_spec(1);
  spec.slotted->class_percent = {20, 70};
  spec.slotted->stage_buffers = {2, 2};
  EXPECT_EQ(keys_of(spec), (std::vector<std::string>{"switch.stage_buffers", "traffic.class_percent"}));
  EXPECT_THROW(run(spec), SpecError);
  spec.network.topology = choose(topologies(), "k-ary-n-tree");
  EXPECT_EQ(keys_of(spec), std::vector<std::string>{"network.topology"});
}

}  // namespace
}  // namespace headway
