// SPDX-License-Identifier: Apache-2.0
// Traffic that failed links cut off, that ends early, that starts late, or that is not there: verdicts do not
// advise what cannot help, and shares are those of loads.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "headway/compile/load.h"
#include "headway/config/toml.h"
#include "headway/run/run.h"
#include "tests/cli/repository.h"

namespace headway {
namespace {

using testing::HasSubstr;
using testing::Not;

EventSpec spec_of(const std::string& text) {
  return std::get<EventSpec>(load_experiment(parse_toml(text, "x")).points.front().spec());
}
Result result_of(const std::string& text) { return run(spec_of(text)); }
std::string finding(std::string_view name) {
  return test::repository_file(fmt::format("tests/findings/{}.toml", name));
}

std::string switch_of_four(const std::string& traffic, std::string_view warmup, std::string_view duration) {
  return fmt::format(
      "network = {{ topology = \"single-switch\", nodes = 4 }}\nmeasure = {{ warmup = \"{}\", duration = "
      "\"{}\" }}\n{}",
      warmup, duration, traffic);
}

TEST(CutOffTraffic, IsAShareOfTheLoad) {
  const Result result = result_of(finding("cut-off-share"));
  EXPECT_NEAR(result.metric("cut_off_share"), 0.9 / 0.91, 1e-9);
  // half of the flow's time at three times the load
  std::string text = finding("cut-off-share");
  text.replace(text.find("load = 0.9"), 10, "load = [[\"0 us\", 0.1], [\"520 us\", 0.3]]");
  const Result changing = result_of(text);
  EXPECT_NEAR(changing.metric("cut_off_share"), 0.2 / 0.21, 1e-9);
  EXPECT_EQ(changing.status, Status::ok)
      << "nothing of the flow whose load changes is sent: " << changing.detail;
}

TEST(CutOffTraffic, OfASourceThatReachesSomeDestinationsIsTheRest) {
  // uniform: each node of the two leaves reaches one of three other nodes
  const std::string text =
      "network = { topology = \"k-ary-n-tree\", k = 2, n = 2, failures = { links = 1.0, unreachable = "
      "\"reported\" } }\nrouting.algorithm = \"up-down\"\nmeasure = { warmup = \"1 us\", duration = \"9 us\" "
      "}\n"
      "[[traffic.flow]]\nload = 0.3\n";
  EXPECT_NEAR(result_of(text).metric("cut_off_share"), 2.0 / 3, 1e-9);
}

TEST(CutOffTraffic, NeedsNoLongerWindow) {
  for (const char* duration : {"400 us", "4 ms", "8 ms"}) {
    EventSpec spec = spec_of(finding("cut-off-advice"));
    spec.measure.duration = *parse_duration(duration);
    const Result result = run(spec);
    EXPECT_EQ(result.status, Status::ok) << result.detail;
    EXPECT_THAT(result.detail, Not(HasSubstr("window")));
    EXPECT_EQ(result.metric("cut_off_share"), 1);
  }
}

TEST(CutOffTraffic, OfOneFlowDoesNotCountAsMissingTraffic) {
  // the other flow alone has enough messages
  std::string text = finding("cut-off-share");
  text.replace(text.find("load = 0.01"), 11, "load = 0.1");
  EXPECT_EQ(result_of(text).status, Status::ok);
}

TEST(TrafficThatEnds, GetsNoAdviceForALongerWindow) {
  const std::string job = "[[traffic.job]]\nprogram = \"ping-pong\"\nsize = \"64 B\"\nrounds = 3\n";
  const Result in_window = result_of(switch_of_four(job, "0 us", "100 us"));
  EXPECT_EQ(in_window.status, Status::too_short);
  EXPECT_THAT(in_window.detail, HasSubstr("no more traffic comes, so a longer window would not help"));
  const Result before = result_of(switch_of_four(job, "50 us", "100 us"));
  EXPECT_EQ(before.status, Status::not_steady);
  EXPECT_THAT(before.detail, HasSubstr("no message is generated within the window, from 50 us to 150 us; "
                                       "traffic.job[0] has ended before"));
}

TEST(TrafficThatEnds, AfterTheWindowIsTooEarlyForALongerOne) {
  const Result result =
      result_of(switch_of_four("[[traffic.flow]]\nload = 0.001\nstop = \"60 us\"\n", "10 us", "50 us"));
  EXPECT_EQ(result.status, Status::too_short);
  EXPECT_THAT(result.detail, HasSubstr("the load of traffic.flow[0] goes from 0.001 to 0 at 60 us, too early "
                                       "for a window that would be long enough"));
}

TEST(TrafficThatStartsLater, IsNamed) {
  const std::string start = "start = \"900 us\"\n";
  const Result job =
      result_of(switch_of_four("[[traffic.job]]\nprogram = \"barrier\"\n" + start, "0 us", "9 us"));
  EXPECT_EQ(job.status, Status::not_steady);
  EXPECT_THAT(job.detail, HasSubstr("traffic.job[0] goes on at 900 us"));
  const Result trace = result_of(switch_of_four(
      "[[traffic.trace]]\nformat = \"synthetic\"\nlength = \"90 us\"\nrate = \"1 GB/s\"\n" + start, "0 us",
      "9 us"));
  EXPECT_EQ(trace.status, Status::not_steady) << trace.detail;
  EXPECT_THAT(trace.detail, HasSubstr("traffic.trace[0] goes on at 9"));
}

TEST(TrafficOfLoadZero, NeedsNoVerdict) {
  const Result result = result_of(switch_of_four("[[traffic.flow]]\nload = 0\n", "1 us", "9 us"));
  EXPECT_EQ(result.status, Status::ok);
  EXPECT_EQ(result.detail, "");
}

TEST(TrafficOfATrace, IsRefusedByCheckWhereItsLoadCannotBeScaled) {
  try {
    load_experiment(parse_toml(finding("trace-empty-window"), "x"));
    FAIL() << "accepted";
  } catch (const SpecError& error) {
    EXPECT_THAT(error.what(), HasSubstr("traffic.trace[0].target_load: the window of the trace contains no "
                                        "traffic, so its load cannot be scaled"));
  }
  std::string text = finding("trace-empty-window");
  text.replace(text.find("target_load = 0.1\n"), 18, "");
  const Result result = result_of(text);
  EXPECT_EQ(result.status, Status::not_steady);
  EXPECT_THAT(result.detail, HasSubstr("traffic.trace[0] has ended before"));
}

// Traffic beside flows only adds to the demand of their links.
TEST(VerdictByDemand, HoldsBesideJobsTracesAndSaturatedSources) {
  const std::string flow = "[[traffic.flow]]\npattern = \"hotspot\"\ndestination = 0\nload = 0.5\n";
  const std::string job = "[[traffic.job]]\nprogram = \"barrier\"\n";
  const std::string trace =
      "[[traffic.trace]]\nformat = \"synthetic\"\nlength = \"20 us\"\nrate = \"1 MB/s\"\n";
  const std::string saturated = "[[traffic.flow]]\nsources = { nodes = [1] }\narrivals = \"saturated\"\n";
  for (const std::string& beside : {std::string(), job, job + "start = \"1 ms\"\n", trace, saturated}) {
    const Result result = result_of(switch_of_four(flow + beside, "5 us", "10 us"));
    EXPECT_EQ(result.status, Status::saturated) << beside << result.detail;
    EXPECT_THAT(result.detail,
                HasSubstr("the demand of the flows on the link to node 0 is 1.5 times its capacity"));
  }
  const Result alone = result_of(switch_of_four(saturated, "5 us", "10 us"));
  EXPECT_NE(alone.status, Status::saturated) << "what it sends follows from what the network takes";
}

}  // namespace
}  // namespace headway
