// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "headway/why/compared_points.h"
#include "headway/why/conclusion.h"
#include "headway/why/why.h"
#include "tests/support/made_waiting.h"

namespace headway {
namespace {

using test::MadeWaiting;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// Storage fills the link to a node. `victims` packets of background wait there.
MadeWaiting run_with(double victims, double storage_ns = 40'000) {
  MadeWaiting made;
  made.root({.to_node = 3,
             .flows = {{"background", victims, victims}, {"storage", 30, 0}},
             .destinations = {{3, 30}}});
  made.flow({.name = "background",
             .waiting = victims,
             .victims = victims,
             .waiting_ns = 100 * victims,
             .victim_ns = 100 * victims});
  made.flow({.name = "storage", .waiting = 30, .waiting_ns = storage_ns});
  made.set("wait_room_ns", 9000).set("offered_load", 0.5).set("accepted_load", 0.5 - victims / 1000);
  made.status(Status::saturated, "more than it carries");
  return made;
}

std::string page(const MadeWaiting& first, const MadeWaiting& second) {
  std::string text = why_compare({.first = first.point(),
                                  .second = second.point(),
                                  .first_name = "1q",
                                  .second_name = "fbicm",
                                  .heading = "1q compared with fbicm"});
  for (std::size_t at = 0; (at = text.find('\n', at)) != text.npos;)  // lines as one
    text[at] = ' ';
  return text;
}

TEST(WhyCompare, SaysWhatIsBetterAndWhy) {
  const std::string text = page(run_with(100), run_with(2));
  for (const char* const sentence :
       {"1q compared with fbicm: With fbicm, packets of background wait less than with 1q. ",
        "For every packet of background that is delivered, its packets wait 200 ns instead of 10 us (98 % "
        "less), 200 "
        "ns instead of 10 us of that as victims.",
        "of storage that is delivered, its packets wait 40 us instead of 40 us (about the same)",
        "Of all traffic, 0.498 instead of 0.4 of the link rate is delivered (24 % more).",
        "The main reason for less waiting: for every delivered packet, packets wait 320 ns instead of 1300 "
        "ns for links to nodes (crossed mostly by packets of storage), 20 ns instead of 1000 ns of that as "
        "victims.",
        "What is left with fbicm: Traffic to node 3 limits this network",
        "Both runs are saturated, so these times depend on the length of the window."})
    EXPECT_THAT(text, HasSubstr(sentence));
}

// More packets can wait for something while each waits less, and what grows is no reason for less waiting.
TEST(WhyCompare, ReasonsPointTheWayOfWhatTheyExplain) {
  const auto run_of = [](double at_nodes, double between, double delivered, double waiting_ns) {
    MadeWaiting made;
    made.root({.to_node = 3, .flows = {{"", at_nodes, 0}}, .destinations = {{3, at_nodes}}});
    made.root({.to_switch = 1, .from_stage = 1, .to_stage = 0, .flows = {{"", between, 0}}});
    return made.set("packets_delivered", delivered)
        .set("wait_room_ns", waiting_ns)
        .set("offered_load", 0.9)
        .set("accepted_load", delivered / 100'000)
        .status(Status::saturated, "more than it carries");
  };
  const std::string less = page(run_of(135, 10, 10'000, 1450), run_of(440, 200, 60'000, 1066));
  EXPECT_THAT(less, HasSubstr("packets wait less than with 1q"));
  EXPECT_THAT(less,
              HasSubstr("The main reason for less waiting: for every delivered packet, packets wait 733.3 ns "
                        "instead of 1350 ns for links to nodes"));
  EXPECT_THAT(less, Not(HasSubstr("Besides")));
  EXPECT_THAT(less, Not(HasSubstr("for links from stage 1 to stage 0,")));
}

TEST(WhyCompare, SaysThatARunDeliversNothingOfAFlow) {
  MadeWaiting none = run_with(100);
  for (Column& column : none.result().tables["per_flow"])
    if (column.name == "packets_delivered")
      column.values.front() = 0;
    else if (column.name.ends_with("_ns"))
      column.values.front() = MadeWaiting::kEmpty;
  EXPECT_THAT(page(none, run_with(100)),
              AllOf(HasSubstr("With 1q, none of the packets of background is delivered."),
                    Not(HasSubstr("nan")), Not(HasSubstr("inf"))));
}

TEST(WhyCompare, SaysWhatIsWorse) {
  EXPECT_THAT(
      page(run_with(100), run_with(50, 90'000)),
      HasSubstr(
          "With fbicm, packets of background wait less than with 1q, but packets of storage wait longer."));
  EXPECT_THAT(page(run_with(50), run_with(100)),
              AllOf(HasSubstr("With fbicm, packets of background wait longer than with 1q."),
                    HasSubstr("10 us instead of 5000 ns (2 times as much)")));
}

TEST(WhyCompare, SaysThatNothingDiffers) {
  EXPECT_THAT(
      page(run_with(100), run_with(101)),
      AllOf(HasSubstr("Between 1q and fbicm, waiting hardly differs: by less than 5 % for every flow."),
            HasSubstr("Both deliver about the same"), Not(HasSubstr("reason"))));
}

TEST(WhyCompare, NeedsTheSameFlowsAndPhotographs) {
  MadeWaiting other = run_with(100);
  other.result().tables["per_flow"].back().words.back() = "backup";
  EXPECT_THROW(page(run_with(100), other), NoResult);
  EXPECT_THROW(why_compare({.first = run_with(100).point(), .second = {}}), NoResult);
}

TEST(WhyCompare, UsesLoadsAndLatenciesOfFlowsIfThereAreSome) {
  MadeWaiting first = run_with(100).status(Status::ok, ""), second = run_with(10).status(Status::ok, "");
  for (MadeWaiting* const made : {&first, &second}) {
    const bool is_first = made == &first;
    Table& flows = made->result().tables["per_flow"];
    flows.push_back({"offered_load", {0.4, 0.1}});
    flows.push_back({"accepted_load", {is_first ? 0.2 : 0.4, 0.1}});
    flows.push_back({"latency_mean_ns", {is_first ? 11'000.0 : 1500.0, 40'500.0}});
  }
  EXPECT_THAT(
      page(first, second),
      AllOf(HasSubstr("Of background, 0.4 instead of 0.2 of the link rate is delivered (2 times as much)."),
            HasSubstr("The mean latency of background is 1500 ns instead of 11 us (86 % less)."),
            Not(HasSubstr("Of storage, ")), Not(HasSubstr("saturated"))));
}

TEST(WhyCompare, SaysThatWindowsDiffer) {
  EXPECT_THAT(page(run_with(100), run_with(10).set("duration_ns", 300'000)),
              HasSubstr("The windows differ: 100 us and 300 us."));
}

}  // namespace
}  // namespace headway
