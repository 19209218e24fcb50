// SPDX-License-Identifier: Apache-2.0
#include "headway/run/alone.h"

#include <gmock/gmock.h>

#include <cmath>

#include "headway/compile/build.h"
#include "headway/compile/load.h"
#include "headway/config/toml.h"

namespace headway {
namespace {

using testing::HasSubstr;

constexpr std::string_view kAllReduce =
    "[[traffic.job]]\nname = \"victim\"\nprogram = \"all-reduce\"\nsize = \"8 KiB\"\nnodes = { first = 8 }\n"
    "placement = \"random\"\nstart = \"300 ns\"\n";
constexpr std::string_view kIncast =
    "[[traffic.job]]\nname = \"noise\"\nprogram = \"incast\"\nsize = \"64 KiB\"\nsenders = 15\n";

EventSpec spec_with(const std::string& traffic, const std::string& more = "") {
  const std::string text =
      "network = { topology = \"k-ary-n-tree\", k = 4, n = 2 }\nseed = 7\n" + more + traffic;
  return std::get<EventSpec>(load_experiment(parse_toml(text, "x"), {}).points.front().spec());
}
EventSpec with_alone(EventSpec spec) {
  spec.measure.alone = true;
  return spec;
}

// Also where random numbers decide: they are those of the seed.
TEST(JobsAlone, WithoutOtherTrafficTakeTheTimeOfTheRun) {
  for (const std::string more : {"", "routing = { algorithm = \"adaptive\", selection = \"rp\" }\n",
                                 "switch.arbiter = \"random\"\n"}) {
    const Result result = run(with_alone(spec_with(std::string(kAllReduce), more)));
    EXPECT_GT(result.metric("victim.alone_ns"), 0) << more;
    EXPECT_EQ(result.metric("victim.alone_ns"), result.metric("victim.completion_ns")) << more;
    EXPECT_EQ(result.metric("victim.slowdown"), 1) << more;
    EXPECT_EQ(result.detail, "");
  }
}

TEST(JobsAlone, HaveNoOtherTrafficAndTheSamePlacement) {
  const std::string victim(kAllReduce), noise(kIncast), flow = "[[traffic.flow]]\nload = 0.4\n";
  const Result both = run(with_alone(spec_with(victim + noise + flow)));
  const double victim_alone = run(spec_with(victim)).metric("makespan_ns");
  EXPECT_EQ(both.metric("victim.alone_ns"), victim_alone);
  EXPECT_EQ(both.metric("noise.alone_ns"), run(spec_with(noise)).metric("makespan_ns"));
  EXPECT_EQ(both.metric("victim.slowdown"), both.metric("victim.completion_ns") / victim_alone);
  EXPECT_GT(both.metric("victim.slowdown"), 1.2);
}

TEST(JobsAlone, DoNotChangeTheRun) {
  const EventSpec spec = spec_with(std::string(kAllReduce) + std::string(kIncast));
  const Result plain = run(spec), with = run(with_alone(spec));
  EXPECT_EQ(plain.trace_hash, with.trace_hash);
  EXPECT_EQ(find_column(plain.table("per_job"), "slowdown"), nullptr);
  EXPECT_EQ(plain.metric("makespan_ns"), with.metric("makespan_ns"));
}

TEST(JobsAlone, InTheBackgroundHaveNoSlowdown) {
  const Result result =
      run(with_alone(spec_with(std::string(kAllReduce) + std::string(kIncast) + "background = true\n")));
  EXPECT_TRUE(std::isnan(result.metric("noise.alone_ns")));
  EXPECT_TRUE(std::isnan(result.metric("noise.slowdown")));
  EXPECT_GT(result.metric("victim.slowdown"), 1);
}

TEST(JobsAlone, AreMeasuredBesideAWindow) {
  const Result result = run(with_alone(spec_with(std::string(kAllReduce) + std::string(kIncast),
                                                 "measure = { warmup = \"0 ns\", duration = \"2 ms\" }\n")));
  EXPECT_GT(result.metric("victim.slowdown"), 1.2);
}

TEST(JobsAlone, ThatAreNotDoneAreNamed) {
  const EventSpec spec = spec_with(std::string(kAllReduce) + std::string(kIncast));
  const Model model = build(spec);
  const std::vector<std::string> names = {"victim", "noise"};
  const JobsAlone alone = run_jobs_alone(model.network, model.workload, names, 20'000, {.seed = 7}, {}, {});
  EXPECT_GT(alone.completion[0], 0);
  EXPECT_EQ(alone.completion[1], -1);
  EXPECT_THAT(alone.unfinished, HasSubstr("alone, noise has completed "));
}

TEST(JobsAlone, ReportTheFirstHalfOfTheProgress) {
  RunGauge gauge;
  const Model model = build(spec_with(std::string(kAllReduce)));
  const std::vector<std::string> names = {"victim"};
  run_jobs_alone(model.network, model.workload, names, 1'000'000, {.seed = 7}, {},
                 RunProgress(gauge).part(0, 0.5));
  EXPECT_EQ(gauge.fraction.load(), 0.5);
}

TEST(JobsAlone, NeedAJobThatEnds) {
  const auto refusal = [](const std::string& traffic) -> std::string {
    try {
      spec_with(traffic, "measure.alone = true\n");
    } catch (const SpecError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refusal("[[traffic.flow]]\n"),
              HasSubstr("measure.alone: there is no job that could be run alone; omit it"));
  EXPECT_THAT(refusal(std::string(kAllReduce) + "background = true\n"),
              HasSubstr("jobs in the background never end; omit it"));
}

}  // namespace
}  // namespace headway
