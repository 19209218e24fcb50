// SPDX-License-Identifier: Apache-2.0
// Causes and remedies of networks whose trouble is known by construction (their specs say what was done to
// them), as `headway why` measures them. HEADWAY_REMEDIES=all also tries remedies of the larger ones.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "headway/config/toml.h"
#include "headway/remedies/session.h"
#include "headway/remedies/told.h"
#include "headway/why/why.h"
#include "test_paths.h"

namespace headway::test {
namespace {

constexpr double kClose = 0.03;  // relative: other versions of the model move gains a little

std::unique_ptr<Session> session_of(const std::string& spec, std::optional<std::string> goal = {}) {
  Question question{.document = read_toml(fmt::format("{}/tests/remedies/{}.toml", kSourceDir, spec)),
                    .overrides = {},
                    .goal = std::move(goal)};
  question.options.sweep.jobs = 1;
  question.options.most_runs = 100;
  const Experiment experiment = load_for_why(question.document);
  return std::make_unique<Session>(std::move(question), experiment, nullptr);
}

constexpr const char* kLarge = "takes more than some seconds; HEADWAY_REMEDIES=all runs it";
bool runs_large() {
  const char* const which = std::getenv("HEADWAY_REMEDIES");
  return which != nullptr && std::string_view(which) == "all";
}

struct Expected {
  std::string what;  // a part of the name of a change
  double gain;
};

// Following the account: the changes that are needed at the end, and the gain with all of them.
struct Causes {
  std::string spec;
  std::vector<std::string> needed;
  double gain = 1;
  std::vector<std::string> symptoms = {};
  bool is_large = false;

  friend void PrintTo(const Causes& one, std::ostream* out) { *out << one.spec; }
};

class FollowedCauses : public ::testing::TestWithParam<Causes> {};

TEST_P(FollowedCauses, AreThoseThatWereBuiltIn) {
  if (GetParam().is_large && !runs_large()) GTEST_SKIP() << kLarge;
  const Followed followed = session_of(GetParam().spec)->follow();
  EXPECT_TRUE(followed.complete);
  EXPECT_NEAR(followed.gain, GetParam().gain, kClose * GetParam().gain);
  std::vector<std::string> needed, symptoms;
  for (const FollowedStep& step : followed.steps)
    (step.needed ? needed : symptoms).push_back(step.change.what);
  const auto expect = [](const std::vector<std::string>& found, const std::vector<std::string>& parts) {
    EXPECT_EQ(found.size(), parts.size()) << ::testing::PrintToString(found);
    for (const std::string& part : parts)
      EXPECT_TRUE(
          std::ranges::any_of(found, [&](const std::string& what) { return what.find(part) != what.npos; }))
          << part << " in " << ::testing::PrintToString(found);
  };
  expect(needed, GetParam().needed);
  expect(symptoms, GetParam().symptoms);
}

INSTANTIATE_TEST_SUITE_P(
    Remedies, FollowedCauses,
    ::testing::Values(Causes{"s01", {"gpu13"}, 3.42}, Causes{"s02", {"0:16"}, 3.02}, Causes{"s03", {}},
                      Causes{"s04", {"random paths"}, 2.42}, Causes{"s05", {"storage", "random paths"}, 5.96},
                      Causes{"s07", {"hot"}, 50.6}, Causes{"flapping", {"without events"}, 1.58},
                      Causes{"s12", {"random paths"}, 3.98, {"congestion control"}}, Causes{"s14", {}},
                      Causes{"s18", {"gpu13", "gpu20"}, 3.42}, Causes{"s19", {}},
                      Causes{"s22", {"storage", "2:10", "1:9", "0:8"}, 74.8}, Causes{"x64", {"0:4"}, 5.76},
                      Causes{"x512-slow-links", {"all 2 slow links"}, 1.38, {}, true},
                      Causes{
                          "x1024-slow-node", {"receivers at full rate", "valiant", "memory"}, 2.12, {}, true},
                      Causes{"x2048-storage", {"storage", "random paths"}, 161, {}, true}),
    [](const auto& test) {
      std::string name = test.param.spec;
      std::ranges::replace(name, '-', '_');
      return name;
    });

// Trying remedies: changes with these names have these gains, and nothing else gains more than the first.
struct Remedies {
  std::string spec;
  std::vector<Expected> gains;  // 1: no effect
  bool is_large = false;

  friend void PrintTo(const Remedies& one, std::ostream* out) { *out << one.spec; }
};

class MeasuredRemedies : public ::testing::TestWithParam<Remedies> {};

TEST_P(MeasuredRemedies, GainWhatTheirRunsGain) {
  if (GetParam().is_large && !runs_large()) GTEST_SKIP() << kLarge;
  const Found found = session_of(GetParam().spec)->search({.seeds = 1});
  for (const Expected& expected : GetParam().gains) {
    const auto row = std::ranges::find_if(
        found.rows, [&](const Tried& tried) { return tried.change.what == expected.what; });
    ASSERT_NE(row, found.rows.end()) << expected.what;
    const double gain = row->trial == nullptr ? 1 : row->gain;  // pruned: nothing to gain
    EXPECT_NEAR(gain, expected.gain, std::max(kClose, kClose * expected.gain)) << expected.what;
  }
}

const std::string kSwitch = "one perfect switch";

INSTANTIATE_TEST_SUITE_P(
    Remedies, MeasuredRemedies,
    ::testing::Values(
        Remedies{"s01",
                 {{"link leaf1:5 at the rate of its peers", 3.42},
                  {kSwitch, 1},
                  {"voqnet, in the same memory", 1}}},
        Remedies{"s02",
                 {{"link 0:16 at the rate of its peers", 3.02},
                  {"routing ecmp", 3.02},
                  {"links between switches twice as fast", 2.0}},
                 true},
        Remedies{
            "s03",
            {{"no delay of links", 163}, {"algorithm recursive-doubling, and 64 times the memory", 13.6}},
            true},
        Remedies{"s04", {{"routing spray", 2.41}, {"linear placement", 3.64}}, true},
        Remedies{"s05",
                 {{"without storage", 4.53},
                  {"voqsw, in the same memory", 4.54},
                  {"a lane for storage, in the same memory", 4.52},
                  {kSwitch, 7.16}}},
        Remedies{"s07",
                 {{"without hot", 50.6},
                  {"voqnet, in the same memory", 41.7},
                  {"a lane for hot, in the same memory", 40.7}}},
        Remedies{"s09",
                 {{"no delay of links", 2.51}, {"64 times the memory", 2.51}, {"twice the memory", 2.0}}},
        Remedies{"s12",
                 {{"routing adaptive", 4.12},
                  {"routing spray", 3.98},
                  {"congestion control off", 1.41},
                  {"linear placement", 6.38}},
                 true},
        Remedies{"s14", {{"without computing", 6.57}, {kSwitch, 1}}, true},
        Remedies{"s18",
                 {{"all 2 slow links at the rate of their peers", 3.42},
                  {"link leaf1:5 at the rate of its peers", 1}}},
        Remedies{"s19", {{"no delay of links", 1.17}, {kSwitch, 1}}},
        Remedies{"s22",
                 {{"without storage", 15.0},
                  {"all 4 slow links at the rate of their peers", 2.51},
                  {"without storage, and all 4 slow links at the rate of their peers", 74.8},
                  {kSwitch, 139}},
                 true}),
    [](const auto& test) { return test.param.spec; });

TEST(MeasuredRemedies, OfADeadlockAreProvenByRoutesOnly) {
  const std::unique_ptr<Session> session = session_of("s13");
  const Found found = session->search({.seeds = 3});
  EXPECT_FALSE(found.ends);
  for (const Tried& row : found.rows) EXPECT_FALSE(found.helps(row)) << row.change.what;
  Result result = session->base().result;
  result.tables.emplace("remedies", table_of_remedies(found));
  const std::string page = page_of_remedies(result, 200, false);
  EXPECT_THAT(page, ::testing::ContainsRegex("ends +routing up-down +no deadlock is possible"));
  EXPECT_THAT(page,
              ::testing::ContainsRegex(
                  "ends +voqnet, in the same memory +did not deadlock in this run, which proves nothing"));
}

// [change] what it gains; 0: the account rules it out.
std::map<std::string, double> gains_on(const std::string& spec, std::optional<std::string> goal) {
  Question question{.document = parse_toml(spec, "x"), .overrides = {}, .goal = std::move(goal)};
  question.options.sweep.jobs = 1;
  question.options.most_runs = 100;
  const Experiment experiment = load_for_why(question.document);
  std::map<std::string, double> gains;
  for (const Tried& row : Session(std::move(question), experiment, nullptr).search({.seeds = 1}).rows)
    gains[row.change.what] = row.trial == nullptr ? 0 : row.gain;
  return gains;
}

// Two of the three links that a switch still has would be enough.
TEST(MeasuredRemedies, RepairEachFailedLink) {
  const auto gains = gains_on(R"(
switch = { scheme = "voqsw" }
[network]
topology = "pgft"
children = [4, 4]
parents = [1, 4]
links = [1, 1]
failures = { at = ["0:5", "0:6", "0:7", "1:5"] }
[[traffic.flow]]
name = "far"
pattern = "complement"
load = 0.9
[measure]
warmup = "20 us"
duration = "100 us"
)",
                              "accepted_load");
  const double all = gains.at("without failures");
  EXPECT_GT(all, 1.2);
  for (const char* link : {"0:5", "0:6", "0:7"}) {
    const double one = gains.at(fmt::format("link {} repaired", link));
    EXPECT_GT(one, 1.02) << link;
    EXPECT_LT(one, all) << link;
  }
  EXPECT_FALSE(std::isnan(gains.at("link 1:5 repaired")));
}

// Choices on arrival, memory that queues share and output-queued switches are tried, and run.
TEST(MeasuredRemedies, AreAlsoSwitchesAsTheyAreBuilt) {
  const auto gains = [](const std::string& spec) {
    return gains_on(spec + R"(
traffic.flow = [{ load = 0.95 }]
[measure]
warmup = "10 us"
duration = "40 us"
)",
                    "accepted_load");
  };
  const auto blocks = gains("network = { topology = \"single-switch\", nodes = 16 }");
  EXPECT_GT(blocks.at("output-queued switches, in the same memory"), 1.4);
  EXPECT_GT(blocks.at("voqsw with shared memory"), 1.4);
  const std::string tree = "network = { topology = \"k-ary-n-tree\", k = 2, n = 3 }\n";
  const auto on_tree = gains(tree);
  EXPECT_GT(on_tree.at("routing adaptive on arrival"), 0.8);
  EXPECT_GT(on_tree.at("routing adaptive on arrival, for each flowlet (gap 5 us)"), 0.5);
  EXPECT_GT(on_tree.at("routing adaptive on arrival, for each message"), 0.8);
  const auto with_voqs = gains(tree + "switch.scheme = \"voqsw\"");
  EXPECT_GE(with_voqs.at("routing adaptive on arrival, with shared memory"), 0);
  EXPECT_GE(with_voqs.at("queues that share their memory"), 0);
  const auto with_flowlets = gains(tree +
                                   "routing = { algorithm = \"adaptive\", choose = \"arrival\", "
                                   "choose_per = \"flowlet\", flowlet_gap = \"1 us\" }");
  EXPECT_GT(with_flowlets.at("routing adaptive on arrival"), 0.8);
  EXPECT_GT(with_flowlets.at("routing ecmp"), 0.5);
}

// The goal of jobs that wait for nodes is the time until they are done: a small job may pass a large one.
TEST(MeasuredRemedies, OfJobsThatWaitForNodesAreAllocations) {
  const std::string jobs = R"(
network = { topology = "single-switch", nodes = 4 }
[[traffic.job]]
name = "half"
program = "broadcast"
size = "1 MB"
ranks = 2
exclusive = true
[[traffic.job]]
name = "whole"
program = "broadcast"
size = "64 kB"
ranks = 4
exclusive = true
[[traffic.job]]
name = "small"
program = "broadcast"
size = "1 kB"
ranks = 2
exclusive = true
copies = 8
)";
  const auto gains = gains_on(jobs, std::nullopt);
  EXPECT_GT(gains.at("first-fit allocation"), 1.5);
  EXPECT_EQ(gains.count("fifo allocation"), 0);
  EXPECT_EQ(gains.count("rail placement"), 0) << "no node has several links";
}

// Runs, rows and texts depend on the spec only.
TEST(MeasuredRemedies, AreTheSameAgain) {
  const auto rows = [] { return table_of_remedies(session_of("s07")->search({.seeds = 2})); };
  const Table first = rows(), second = rows();
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t column = 0; column < first.size(); ++column) {
    EXPECT_EQ(first[column].words, second[column].words);
    EXPECT_THAT(first[column].values,
                ::testing::Pointwise(::testing::NanSensitiveDoubleEq(), second[column].values));
  }
}

// What the account rules out gains nothing when it is run all the same.
TEST(MeasuredRemedies, ThatWerePrunedGainNothing) {
  const std::string spec = "s19";
  const std::unique_ptr<Session> session = session_of(spec);
  const Found found = session->search({.seeds = 1});
  std::size_t checked = 0;
  for (const Tried& row : found.rows) {
    if (row.trial != nullptr || checked == 12 || row.change.kind == ChangeKind::bound) continue;
    std::vector<Override> set = row.change.set;
    try {
      const Experiment changed =
          load_experiment(read_toml(fmt::format("{}/tests/remedies/{}.toml", kSourceDir, spec)), set);
      const double gain = session->goal().gain(session->base().result, run(changed.points.front().spec()));
      EXPECT_LT(gain, 1 + found.effect) << row.change.what;
      ++checked;
    } catch (const SpecError&) {  // refused: it cannot gain
    }
  }
  EXPECT_GE(checked, 5);
}

}  // namespace
}  // namespace headway::test
