// SPDX-License-Identifier: Apache-2.0
// What `headway why` says of random runs over all members of the families, with jobs and without: no sentence
// has a number that is empty, no line is torn within a number, nothing is said of closed loops that always
// holds, and reasons of a comparison point the way of what they explain.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <sstream>
#include <string>

#include "headway/config/assign.h"
#include "headway/config/toml.h"
#include "headway/programs/kind.h"
#include "headway/run/run.h"
#include "headway/spec/read_spec.h"
#include "headway/why/compared_points.h"
#include "headway/why/conclusion.h"
#include "headway/why/path_account.h"
#include "headway/why/why.h"
#include "tests/cli/repository.h"
#include "tests/relations/relations.h"
#include "tests/support/random_spec.h"

namespace headway {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

void expect_words(const std::string& text) {
  static const std::regex empty(R"((^|[^a-z])-?(nan|inf)([^a-z]|$)|\b0 of 0(?![.0-9])|classs|\(\)|  \.| ,)"),
      torn("\\b([Ss]witch|node|port|stage|queue|lane|root)\n[0-9]");
  std::smatch found;
  EXPECT_FALSE(std::regex_search(text, found, empty)) << found[0] << "\n" << text;
  EXPECT_FALSE(std::regex_search(text, found, torn)) << found[0] << "\n" << text;
}

// No line of a sentence ends between a number and its unit.
void expect_whole_numbers(const std::string& sentences) {
  static const std::regex end(R"((\w+)[ \n]-?[0-9.]+\n(?!$))"),
      thing("([Ss]witch|node|port|stage|queue|lane|root|job|flow|rank|operation|trace|class)(e?s)?");
  for (std::sregex_iterator at(sentences.begin(), sentences.end(), end), last; at != last; ++at)
    EXPECT_TRUE(std::regex_match((*at)[1].str(), thing)) << at->str() << "\n" << sentences;
}

void expect_honest(const std::string& text, const EventSpec& spec) {
  const auto is_saturated = [](const FlowSpec& flow) { return flow.arrivals.name == "saturated"; };
  const bool has_jobs = !spec.traffic.jobs.empty();
  if (has_jobs || std::ranges::any_of(spec.traffic.flows, is_saturated))
    for (const char* const always :
         {"carries its load", "All that is offered is delivered", "Of all traffic"})
      EXPECT_THAT(text, Not(HasSubstr(always)));
  if (has_jobs) EXPECT_THAT(text, Not(HasSubstr("the run is steady")));
  for (const char* const guess :
       {"would address", "could save", "Nothing limits", "Nobody else", "No single place limits"})
    EXPECT_THAT(text, Not(HasSubstr(guess)));
}

// Every sentence says what supports it, and only runs speak of causes.
void expect_support(std::string sentences) {
  std::ranges::replace(sentences, '\n', ' ');
  static const std::regex end(R"( \[(account|run|theorem)\] )");
  std::sregex_iterator at(sentences.begin(), sentences.end(), end), last;
  EXPECT_NE(at, last) << sentences;
  for (; at != last; ++at) {
    const std::string sentence = at->prefix();
    EXPECT_TRUE(sentence.ends_with('.')) << sentence;
    if (sentence.starts_with("The cause is")) EXPECT_EQ((*at)[1], "run") << sentence;
  }
}

double ns_of(const std::string& number, const std::string& unit) {
  return std::stod(number) * (unit == "ms" ? 1e6 : unit == "us" ? 1e3 : 1);
}

// A reason for less waiting names something for which packets wait less.
void expect_right_way(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  static const std::regex reason(
      R"(The main reason for (less|more) waiting: for every delivered packet, packets wait ([0-9.e+-]+) (ns|us|ms) instead of ([0-9.e+-]+) (ns|us|ms) )");
  for (std::sregex_iterator at(text.begin(), text.end(), reason), end; at != end; ++at) {
    const double second = ns_of((*at)[2], (*at)[3]), first = ns_of((*at)[4], (*at)[5]);
    EXPECT_EQ((*at)[1] == "less", second < first) << at->str();
  }
}

PointResult point_of(const EventSpec& spec) {
  PointResult point;
  point.result = run(spec);
  point.names = spec.network.topology->names();
  return point;
}

void expect_words_about(const EventSpec& spec, const EventSpec& other) {
  const PointResult point = point_of(spec);
  for (const std::size_t columns : {100, 40}) {
    const std::string text = why(point, columns);
    SCOPED_TRACE(text);
    expect_words(text);
    expect_whole_numbers(text.substr(0, text.find("\nEvidence")));
    expect_support(text.substr(0, std::min(text.find("\n\nRuns"), text.find("\nEvidence"))));
    expect_honest(text, spec);
  }
  expect_words(why_at_length(point));
  const std::string compared = why_compare({point, point_of(other), "A", "B", "A compared with B"});
  SCOPED_TRACE(compared);
  expect_words(compared);
  expect_right_way(compared);
}

EventSpec spec_to_explain(std::uint64_t number) {
  switch (number % 7) {
    case 1:
      return test::random_spec_with_service_levels(number).spec;
    case 2:
      return test::random_spec_with_lane_turns(number).spec;
    case 3:
      return test::random_spec_with_control(number).spec;
    case 4:
      return test::random_spec_with_slow_nodes(number).spec;
    case 5:
      return test::random_spec_with_pauses(number).spec;
    case 6:
      return test::random_spec_with_cells(number).spec;
    default:
      return test::random_spec(number).spec;
  }
}

// With many photographs, few, or none.
void observe(EventSpec& spec, std::uint64_t number) {
  constexpr std::int64_t kIntervals[] = {20, 700, 50, 5000};
  spec.observe.waiting = true;
  spec.observe.interval = Duration{kIntervals[number / 7 % std::size(kIntervals)]};
  spec.measure.warmup = Duration{200};
  spec.measure.duration = Duration{2000};
  spec.measure.bin = Duration{100};
}

TEST(RelationOfWhy, WordsAboutFlowsHaveTheirNumbers) {
  test::for_each_number(140, [](std::uint64_t number) {
    EventSpec spec = spec_to_explain(number);
    observe(spec, number);
    if (!test::is_valid(spec)) return false;
    EventSpec other = spec;
    other.seed += 1;
    if (!test::is_valid(other)) return false;  // its random nodes do not send
    expect_words_about(spec, other);
    return true;
  });
}

// A program, alone, beside a flow, or beside a job in the background.
EventSpec job_to_explain(const std::string& program, std::uint64_t number) {
  EventSpec spec;
  spec.network.topology = choose(topologies(), "k-ary-n-tree", {{"k", 2}, {"n", 3}});
  spec.network.link = {Rate{1}, Duration{20}};
  observe(spec, number * 7);
  spec.measure.until = Until::done;
  spec.measure.warmup.reset();
  spec.measure.limit = Duration{200'000};
  spec.measure.tables = {"critical-path"};
  spec.measure.alone = true;
  spec.traffic.jobs = {{.program = choose(programs(), program)}};
  if (number % 3 == 0) spec.traffic.flows.clear();
  if (number % 3 == 1) {
    spec.traffic.jobs.push_back({.program = choose(programs(), "all-to-all"), .background = true});
    spec.traffic.flows.clear();
  }
  return spec;
}

TEST(RelationOfWhy, WordsAboutJobsHaveTheirNumbers) {
  std::uint64_t number = 0, tested = 0;
  for (const auto& entry : programs()) {
    const EventSpec spec = job_to_explain(std::string(entry.name), ++number);
    if (!test::is_valid(spec)) continue;
    ++tested;
    SCOPED_TRACE(entry.name);
    EventSpec other = spec;
    other.switches.queue_memory = Bytes{4096};
    expect_words_about(spec, other);
  }
  EXPECT_GE(tested, 12U);
}

// A run of a job alone has the same program, nodes and routes, so its critical path beside other traffic
// bounds what it gains. All waiting of the path is in one class.
TEST(RelationOfWhy, NoJobAloneIsFasterThanItsPathAllows) {
  constexpr std::uint64_t kBesideAllToAll = 1;
  std::uint64_t tested = 0;
  for (const auto& entry : programs())
    for (const std::uint64_t seed : {1, 2}) {
      EventSpec spec = job_to_explain(std::string(entry.name), kBesideAllToAll);
      spec.seed = seed;
      spec.observe.waiting = false;
      spec.traffic.packet = Bytes{4096};
      spec.measure.limit = Duration{10'000'000};
      if (!test::is_valid(spec)) continue;
      SCOPED_TRACE(fmt::format("{} {}", entry.name, seed));
      const PointResult point = point_of(spec);
      for (const JobRow& job : rows_in<JobRow>(point.result)) {
        const auto path = path_account(point, job.job);
        if (!path) continue;
        EXPECT_NEAR(path->compute_ns + path->overhead_ns + path->serialisation_ns + path->narrow_ns +
                        path->slow_ns + path->propagation_ns + path->switch_ns + path->rest_ns +
                        path->wait_ns,
                    path->total_ns, 1e-6 * path->total_ns);
        EXPECT_NEAR(path->own_rate_ns + path->credits_ns + path->receiver_ns + path->itself_between_ns +
                        path->itself_own_ns + path->behind_others_ns() + path->inputs_ns + path->else_ns,
                    path->wait_ns, 1e-6 * path->total_ns);
        if (std::isnan(job.slowdown)) continue;
        ++tested;
        EXPECT_LE(job.slowdown, path->most_gain(path->lost_ns()) * (1 + 1e-9));
      }
    }
  EXPECT_GE(tested, 20U);
}

EventSpec spec_of(const std::string& file) {
  Mistakes mistakes;
  EventSpec spec =
      std::get<EventSpec>(read_spec(parse_toml(test::repository_file(file), file), mistakes).spec);
  mistakes.throw_if_any();
  return spec;
}

std::string told_of(EventSpec spec, bool at_length) {
  spec.observe.waiting = true;
  spec.measure.tables.insert("critical-path");
  const PointResult point = point_of(spec);
  return at_length ? why_at_length(point) : why(point);
}

// A tree whose packets are all that waits.
TEST(FindingsOfWhy, ATreeWithoutOthersHasNoShare) {
  const std::string text = told_of(spec_of("tests/findings/why-nan.toml"), true);
  expect_words(text);
  EXPECT_THAT(text, HasSubstr("and no packet waits that does not have to cross it."));
  EXPECT_THAT(told_of(spec_of("tests/findings/why-nan.toml"), false), Not(HasSubstr("offered is delivered")));
}

TEST(FindingsOfWhy, AJobInTheBackgroundOffersNothing) {
  const std::string text = told_of(spec_of("tests/findings/storage-beside-training.toml"), false);
  EXPECT_THAT(text, HasSubstr("are those of storage"));
  EXPECT_THAT(text, Not(HasSubstr("offered")));
}

// A flow whose class is served first is in the way, also if a head of another class starves; one whose own
// heads are outranked is not.
TEST(FindingsOfWhy, LanesThatTakeTurnsHaveACulprit) {
  EventSpec spec = spec_of("tests/findings/lanes-take-turns.toml");
  const std::string overloads = told_of(spec, false);
  EXPECT_THAT(overloads, HasSubstr("starvation"));
  EXPECT_THAT(overloads, HasSubstr("are those of hi"));
  EXPECT_THAT(overloads, Not(HasSubstr("Nearly all waiting packets")));
  spec.traffic.flows[0].load.points[0].load = 0.49;
  spec.traffic.flows[1].load.points[0].load = 0.9;
  std::string outranked = told_of(spec, false);
  std::ranges::replace(outranked, '\n', ' ');
  EXPECT_THAT(
      outranked,
      HasSubstr("are those of lo, which wait because classes of a higher priority are served first."));
}

}  // namespace
}  // namespace headway
