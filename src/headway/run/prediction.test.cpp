// SPDX-License-Identifier: Apache-2.0
// Times depend on the machine, so these tests only check that there are some, and that they follow the work.
#include "headway/run/prediction.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "headway/compile/load.h"
#include "headway/config/toml.h"
#include "headway/engine/simulation.h"
#include "headway/run/hooks.h"
#include "headway/run/run.h"

namespace headway {
namespace {

Experiment experiment_to_predict(const std::string& text) { return load_experiment(parse_toml(text, "x")); }

const std::string kTreeOfFour = "[network]\nk = 2\nn = 2\n";
const std::string kLong = "[measure]\nwarmup = \"0 us\"\nduration = \"1 s\"\n";

TEST(Prediction, EveryPointHasATimeEvenIfFewAreSampled) {
  std::string loads;
  for (int i = 1; i <= 30; ++i) loads += std::to_string(i / 100.0) + ", ";
  const Experiment experiment =
      experiment_to_predict(kTreeOfFour + kLong + "[sweep]\n\"traffic.flow.load\" = [" + loads + "]\n");
  const std::vector<PointCost> costs = predict_costs(experiment, {.of_point = 0.002, .of_all = 0.004});
  ASSERT_EQ(costs.size(), 30U);
  for (const PointCost& cost : costs) EXPECT_GT(cost.seconds, 0);
  // the load is thirty costs as large
  EXPECT_GT(costs.back().seconds, 3 * costs.front().seconds);
}

TEST(Prediction, RepetitionsAreCounted) {
  const auto ratio = [](const std::string& seeds) {
    const std::vector<PointCost> costs =
        predict_costs(experiment_to_predict(seeds + kTreeOfFour + kLong), {.of_point = 0.002});
    return costs.front().most_seconds / costs.front().seconds;
  };
  EXPECT_NEAR(ratio("seeds = 3\n"), 1, 1e-3);
  EXPECT_NEAR(ratio("seeds = { until = \"latency_mean_ns\", at_least = 4, at_most = 8 }\n"), 2, 1e-3);
}

TEST(Prediction, KindsOfRuns) {
  const std::string kinds[] = {
      kTreeOfFour +
          "[measure]\nuntil = \"done\"\nalone = true\ntables = [\"critical-path\"]\n[[traffic.job]]\n"
          "program = \"all-reduce\"\nsize = \"1 KiB\"\n",
      kTreeOfFour + "[measure]\nduration = \"100 us\"\n",  // the warm-up is detected
      "kernel = \"slotted\"\n[network]\ntopology = \"omega\"\n",
      kTreeOfFour + kLong + "[[traffic.trace]]\nformat = \"synthetic\"\n"};
  for (const std::string& text : kinds) {
    const PointCost cost = predict_costs(experiment_to_predict(text), {.of_point = 0.002}).front();
    EXPECT_GT(cost.seconds, 0) << text;
    EXPECT_GE(cost.most_seconds, cost.seconds) << text;
    Experiment search = experiment_to_predict(text);
    search.search = SaturationSearch{};
    EXPECT_GT(predict_costs(search, {.of_point = 0.002}).front().seconds, 0) << text;
  }
}

TEST(Prediction, WatchedRunsAreTheSameRuns) {
  const Spec spec =
      experiment_to_predict(kTreeOfFour + "[measure]\nwarmup = \"0 us\"\nduration = \"20 us\"\n")
          .points.front()
          .spec();
  int looks = 0;
  const RunHooks watched{.watch = [&](const Simulation&, const Network&) {
    ++looks;
    return std::uint64_t{7};
  }};
  EXPECT_EQ(run(spec, {.hooks = &watched}).trace_hash, run(spec).trace_hash);
  EXPECT_GT(looks, 100);
}

}  // namespace
}  // namespace headway
