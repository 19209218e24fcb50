// SPDX-License-Identifier: Apache-2.0
// What `headway why` says first of networks whose trouble is known by construction: a slow link, latency,
// paths that collide, traffic in the way, a credit loop, a deadlock, computing, or nothing at all. Each spec
// says what was done to it. The first lines name the leading part of the account, and say nothing that a run
// without this trouble refutes.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "headway/config/toml.h"
#include "headway/run/run.h"
#include "headway/why/why.h"
#include "test_paths.h"

namespace headway::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

struct Scenario {
  std::string spec;
  std::vector<std::string> says, never_says;

  friend void PrintTo(const Scenario& scenario, std::ostream* out) { *out << scenario.spec; }
};

std::string first_lines(const std::string& spec) {
  const Experiment experiment =
      load_for_why(read_toml(fmt::format("{}/tests/remedies/{}.toml", kSourceDir, spec)));
  const Point& point = experiment.points.front();
  std::string text = why(make_point_result(point, {run(point.spec())}));
  text.resize(text.find("\nEvidence"));
  std::ranges::replace(text, '\n', ' ');
  return text;
}

class FirstLines : public ::testing::TestWithParam<Scenario> {};

TEST_P(FirstLines, NameTheLeadingPart) {
  const std::string text = first_lines(GetParam().spec);
  for (const std::string& words : GetParam().says) EXPECT_THAT(text, HasSubstr(words));
  for (const std::string& words : GetParam().never_says) EXPECT_THAT(text, Not(HasSubstr(words)));
  for (const char* const promise :
       {"would address", "carries its load", "could save", "Nothing limits", "Nobody else"})
    EXPECT_THAT(text, Not(HasSubstr(promise)));
}

const std::string kCollisions = "behind its own packets for links between switches. [account]";
const std::string kGain = "Runs that show what ";
const std::string kLimits = "limits this network";

INSTANTIATE_TEST_SUITE_P(
    OfKnownTrouble, FirstLines,
    ::testing::Values(
        Scenario{
            "s01",  // the link of gpu13 has a quarter of the rate
            {"Its critical path is slow links for 487.6 us (75 %) and its own bytes for 162.5 us (25 %). "
             "[account]",
             "75 % of it is lost to the link of node gpu13, which has 25 % of the rate of its peers",
             "at most 3.99 times as fast: the link of node gpu13 at the rate of its peers",
             "'what_if.usual_rates=[\"leaf1:5\"]'"},
            {kLimits, "Packets wait for"}},
        Scenario{"s02",  // a link between switches has a quarter of the rate
                 {"70 % of it is lost to the link between switch 8 and switch 0 (0:16)",
                  "'what_if.usual_rates=[\"0:16\"]'"},
                 {kLimits, "node 0,", "links from nodes"}},
        Scenario{"s03",  // links of 50 us
                 {"Its critical path is propagation for 27 ms (99 %)", "it can hardly be faster"},
                 {kLimits, kGain, "Packets"}},
        Scenario{"s04",  // paths by hash, ranks at random
                 {"Its critical path is waiting for 974.1 us (97 %)", kCollisions,
                  "for the link from switch 22 port 5 to switch 5", "random paths"},
                 {"raffic to", "storage"}},
        Scenario{"s05",  // storage in the way of a training step
                 {"4.53 times as long as alone. [run]", "behind packets of storage. [account]",
                  "92 % of the waiting is as a victim",
                  "The cause is storage: without it, train is 4.53 times as fast. [run]", "without storage"},
                 {"random paths"}},
        Scenario{
            "flapping",  // a spine goes down again and again
            {"for links that are down and", "for the link from switch 0 port 16 to switch 8, which is down"},
            {kLimits, "feedback"}},
        Scenario{"s07",  // traffic to node 11
                 {"Traffic to node 11 limits this network",
                  "the demand of the flows on the link to node 11 is 3.24 times its capacity. [theorem]",
                  "99 % of the packets that wait to cross these places are those of hot"},
                 {"The cause"}},
        Scenario{"s09",  // cables longer than the memory
                 {"slots are all on the wire", "a link can carry at most 32 % of its rate. [theorem]"},
                 {kLimits, "ore memory"}},
        Scenario{"s12",  // as s04, with congestion control that hides it
                 {"87 %", "until congestion control lets its nodes send. [account]"},
                 {kLimits, "raffic to", "marks"}},
        Scenario{
            "x64",  // of traffic that is one flow
            {"The link between switch 16 and switch 0 (0:4) has 25 % of the rate of its peers. [account]",
             "from switch 0 to switch 16 is 2 times its capacity. [theorem]",
             "Of all traffic, 0.493 of the link rate is delivered, where 0.501 is offered"},
            {"All that is offered"}},
        Scenario{"s13",  // clockwise around a ring
                 {"Deadlock: ", "Routes or lanes without cycles of queues cannot deadlock. [theorem]"},
                 {kGain}},
        Scenario{"s14",  // nearly all of it computes
                 {"Its critical path is computing for 12 ms (86 %)", "it can hardly be faster"},
                 {kLimits, kGain, "links of nodes"}},
        Scenario{"s18",  // two slow links of nodes, one of which hides the other
                 {"lost to the link of node gpu13", "at most 3.99 times as fast"},
                 {kLimits}},
        Scenario{"s19",  // healthy
                 {"Its critical path is its own bytes for 162.5 us (85 %) and propagation for 28 us (15 %)",
                  "it can hardly be faster"},
                 {kLimits, kGain, "Packets wait"}},
        Scenario{"s22",  // slow links between switches, and storage
                 {"15 times as long as alone", "89 % of it is lost to the link between switch 7 and switch 3",
                  "behind packets of storage. [account]", "'what_if.without=[\"storage\"]'",
                  "'what_if.usual_rates=[\"3:11\"]'"},
                 {"random paths"}}),
    [](const auto& info) { return info.param.spec; });

}  // namespace
}  // namespace headway::test
