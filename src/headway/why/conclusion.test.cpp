// SPDX-License-Identifier: Apache-2.0
// Conclusions from results made by hand, one for each situation.
#include "headway/why/conclusion.h"

#include <gmock/gmock.h>

#include <regex>

#include "tests/support/made_waiting.h"

namespace headway {
namespace {

using test::MadeWaiting;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// Storage fills the links to `targets` nodes, at which background waits, too.
MadeWaiting incast(int targets, double victims = 60) {
  MadeWaiting made;
  for (int i = 0; i < targets; ++i)
    made.root({.to_node = 3.0 * i,
               .from_stage = 0,
               .to_stage = -1,
               .flows = {{"background", victims + 5, victims}, {"storage", 30, 10}},
               .destinations = {{3.0 * i, 25}}});
  for (int i = 0; i < 20; ++i)
    made.root({.to_switch = 1, .from_stage = 1, .to_stage = 0, .flows = {{"background", 0.5, 0.1}}});
  made.flow({.name = "background",
             .delivered = 9000,
             .waiting = (victims + 5) * targets + 10,
             .victims = victims * targets + 2,
             .waiting_ns = 8000,
             .victim_ns = 8000 * victims / (victims + 5)});
  made.flow({.name = "storage",
             .delivered = 1000,
             .waiting = 30.0 * targets,
             .victims = 10.0 * targets,
             .waiting_ns = 40'000,
             .victim_ns = 13'000});
  made.set("wait_room_ns", 9000).set("offered_load", 0.5).set("accepted_load", 0.4);
  made.status(Status::saturated, "the demand of the flows on the link to node 3 is 2 times its capacity");
  made.victims_over_time(
      {1, 1, 1, 100, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200});
  return made;
}

std::vector<std::string> told(const MadeWaiting& made) {
  std::vector<std::string> texts;
  for (const Sentence& sentence : sentences(conclude(made.point()), made.point()))
    texts.push_back(text_of(sentence));
  return texts;
}

// What is true of the sentences of every conclusion: number, and agreement with a count of one.
void expect_plain(const MadeWaiting& made) {
  const std::vector<std::string> all = told(made);
  EXPECT_GE(all.size(), 2U) << ::testing::PrintToString(all);
  EXPECT_LE(all.size(), 8U) << ::testing::PrintToString(all);
  static const std::regex one_of_many(
      R"((^|[^0-9.,])1 (links|nodes|places|packets|memories|inputs|roots|flows)\b)");
  static const std::regex many_of_one(
      R"(\b([02-9]|[1-9][0-9]+) (link|node|place|packet|memory|input|root|flow)\b)");
  for (const std::string& sentence : all) {
    EXPECT_THAT(sentence, Not(HasSubstr("nan")));
    static const std::regex end(R"([^.]\. \[(account|run|theorem)\]$)");
    EXPECT_TRUE(std::regex_search(sentence, end)) << sentence;
    for (const char* const promise : {"would address", "could save", "The cause is", "Nobody else"})
      EXPECT_THAT(sentence, Not(HasSubstr(promise)));
    EXPECT_FALSE(std::regex_search(sentence, one_of_many)) << sentence;
    EXPECT_FALSE(std::regex_search(sentence, many_of_one)) << sentence;
  }
}

TEST(Conclusion, NamesTheCulpritAndTheVictim) {
  const MadeWaiting made = incast(4);
  const Conclusion found = conclude(made.point());
  EXPECT_EQ(found.limit, Limit::destinations);
  EXPECT_THAT(found.destinations, ElementsAre(0, 3, 6, 9));
  EXPECT_EQ(found.flows.at(*found.culprit).name, "storage");
  EXPECT_DOUBLE_EQ(found.flows.at(*found.culprit).share, 0.8);
  EXPECT_FALSE(found.gain_without_culprit);
  EXPECT_EQ(found.flows.at(*found.sufferer).name, "background");
  EXPECT_NEAR(found.limit_share, 380 / 390.0, 1e-9);
  EXPECT_NEAR(found.limit_victims, 280 / 390.0, 1e-9);
  EXPECT_EQ(found.groups.front().roots.size(), 4U);
  EXPECT_THAT(
      told(made),
      ElementsAre(
          "Traffic to 4 nodes limits this network: 97 % of all waiting packets wait for links that it "
          "congests, and the links to these nodes carry data 100 % of the time. [account]",
          "The run is saturated: the demand of the flows on the link to node 3 is 2 times its capacity. "
          "[theorem]",
          "80 % of the packets that wait to cross these links are those of storage, which has only 10 % of "
          "all "
          "delivered packets. [account]",
          "For every packet of background that is delivered, its packets wait 8000 ns, 7324 ns (92 %) of "
          "that "
          "for these links, which they do not have to cross. [account]",
          "Of all traffic, 0.4 of the link rate is delivered, where 0.5 is offered (20 % less). [account]",
          "The congestion is there from about 30 us on, and the network does not recover within the run: at "
          "the end, 200 packets are victims, and the number hardly changes. [account]"));
  expect_plain(made);
}

TEST(Conclusion, IsRightInNumber) {
  const std::vector<std::string> one = told(incast(1));
  EXPECT_EQ(one[0],
            "Traffic to node 0 limits this network: 90 % of all waiting packets wait for the link that it "
            "congests, and the link to this node carries data 100 % of the time. [account]");
  EXPECT_THAT(one,
              Contains(StartsWith("80 % of the packets that wait to cross this link are those of storage")));
  EXPECT_THAT(told(incast(2))[0], StartsWith("Traffic to node 0 and node 3 limits this network: "));
  for (const int targets : {1, 2, 3, 4}) expect_plain(incast(targets));
}

TEST(Conclusion, SaysHowLittleAVictimSuffers) {
  const MadeWaiting made = incast(4, /*victims=*/0.2);
  EXPECT_THAT(
      told(made),
      Contains("For every packet of background that is delivered, its packets wait 8000 ns, only 87.91 ns "
               "(1 %) of that for these links, which they do not have to cross. [account]"));
  expect_plain(made);
}

TEST(Conclusion, AFlowOfWhichNothingIsDeliveredSuffers) {
  MadeWaiting made = incast(4);
  Table& flows = made.result().tables["per_flow"];
  for (Column& column : flows)
    if (column.name == "packets_delivered")
      column.values[0] = 0;
    else if (column.name.ends_with("_ns"))
      column.values[0] = MadeWaiting::kEmpty;
  EXPECT_THAT(told(made),
              Contains("None of the packets of background is delivered, and 270 packets wait on average. "
                       "[account]"));
  expect_plain(made);
}

TEST(Conclusion, UsesTheLoadsOfAFlowIfThereAreSome) {
  MadeWaiting made = incast(4);
  made.result().tables["per_flow"].push_back({"offered_load", {0.4, 0.1}});
  made.result().tables["per_flow"].push_back({"accepted_load", {0.3, 0.1}});
  EXPECT_THAT(
      told(made),
      Contains(
          "Of background, 0.3 of the link rate is delivered, where 0.4 is offered (25 % less). [account]"));
  made.result().tables["per_flow"].back().values[0] = 0.4;
  EXPECT_THAT(told(made),
              Contains("All that is offered of background is delivered: 0.4 of the link rate. [account]"));
}

TEST(Conclusion, SaysThatPacketsHardlyWait) {
  MadeWaiting made;
  made.set("offered_load", 0.1).set("accepted_load", 0.1).set("wait_output_ns", 20);
  EXPECT_EQ(conclude(made.point()).limit, Limit::nothing) << "no packet waits in a photograph";
  for (double node = 0; node < 10; ++node)
    made.root({.to_node = node, .flows = {{"", 0.1, 0}}, .destinations = {{node, 0.1}}});
  EXPECT_THAT(told(made), ElementsAre("Packets hardly wait: for 4 % of their time. [account]",
                                      "All that is offered is delivered: 0.1 of the link rate. [account]"));
  expect_plain(made);
}

TEST(Conclusion, AFlowThatWaitsCountsAlthoughMostPacketsDoNot) {
  MadeWaiting made = incast(1).status(Status::ok, "").set("wait_room_ns", 50);
  EXPECT_EQ(conclude(made.point()).limit, Limit::destinations);
  EXPECT_THAT(told(made), AllOf(Contains(HasSubstr("A packet of background waits 8000 ns on average")),
                                Contains("The congestion lasts: the run is steady. [account]")));
  expect_plain(made);
}

// 64 links between switches, crossed by traffic to all nodes.
MadeWaiting spread(Status status) {
  MadeWaiting made;
  for (int i = 0; i < 64; ++i)
    made.root({.to_switch = 1,
               .from_stage = 0,
               .to_stage = 1,
               .flows = {{"", 2.0, 1.5}},
               .destinations = {{i % 32, 0.5}, {(i + 1) % 32, 0.5}},
               .utilisation = 0.5});
  made.set("wait_room_ns", 600).set("hol_blocking_ns", 400).set("wait_admittance_ns", 1000);
  made.set("offered_load", 0.9).set("accepted_load", status == Status::ok ? 0.9 : 0.6);
  made.status(status, status == Status::ok ? "" : "outstanding traffic went from 1 KiB to 1 MiB");
  made.victims_over_time(std::vector<double>(20, 96));
  return made;
}

TEST(Conclusion, GrowthFromNothingHasNoNumber) {
  MadeWaiting made = spread(Status::saturated);
  made.result().tables.erase("series");
  std::vector<double> victims(17, 0);
  victims.insert(victims.end(), 3, 96);
  made.victims_over_time(victims);
  EXPECT_THAT(told(made), Contains(HasSubstr("at the end, 96 packets are victims, and there were none a "
                                             "quarter of the window earlier. [account]")));
}

TEST(Conclusion, TellsSpreadBlockingAsThat) {
  const MadeWaiting made = spread(Status::saturated);
  EXPECT_THAT(
      told(made),
      ElementsAre(
          "Packets wait for 64 places, and for none of them more than 2 % of all waiting packets. [account]",
          "The largest part, 100 % of the waiting packets, waits for 64 links from stage 0 to stage "
          "1, which carry data 50 % of the time. [account]",
          "Of the waiting in the network, 40 % is head-of-line blocking. [account]",
          "The run is saturated: outstanding traffic went from 1 KiB to 1 MiB. [account]",
          "75 % of the waiting packets are victims: they do not have to cross what they wait for. [account]",
          "Of all traffic, 0.6 of the link rate is delivered, where 0.9 is offered (33 % less). [account]",
          "The congestion is there from the start on, and the network does not recover within the "
          "run: at the end, 96 packets are victims, and the number hardly changes. [account]"));
  expect_plain(made);
}

TEST(Conclusion, ANetworkThatWaitsCanCarryItsLoad) {
  const MadeWaiting made = spread(Status::ok);
  EXPECT_THAT(
      told(made)[0],
      "This network carries its load: the run is steady, and all that is offered is delivered. Waiting "
      "is 80 % of the time of its packets. It is spread over 64 places, none of which has more than 2 % "
      "of it. [account]");
  EXPECT_THAT(told(made), Not(Contains(HasSubstr("limits"))));
  expect_plain(made);
}

TEST(Conclusion, NamesFewFullLinks) {
  MadeWaiting made;
  for (int i = 0; i < 2; ++i) {
    MadeWaiting::Root root{.to_switch = 1.0 + i, .flows = {{"", 50, 10}}, .utilisation = 0.97};
    for (double node = 0; node < 32; ++node) root.destinations.emplace_back(node, 1.0);
    made.root(root);
  }
  made.idle_links(100).set("wait_room_ns", 5000).status(Status::saturated, "more than it carries");
  EXPECT_EQ(conclude(made.point()).limit, Limit::few_roots);
  EXPECT_THAT(
      told(made),
      Contains("2 links between switches limit this network: they carry data 97 % of the time, and 100 "
               "% of all waiting packets wait for them. [account]"));
  expect_plain(made);
}

TEST(Conclusion, NamesASingleFullLink) {
  MadeWaiting made;
  MadeWaiting::Root root{.from_switch = 4, .to_switch = 7, .flows = {{"", 50, 0}}, .utilisation = 0.97};
  for (double node = 0; node < 32; ++node) root.destinations.emplace_back(node, 1.0);
  made.root(root).idle_links(100).set("wait_room_ns", 5000).status(Status::too_short, "it needs 3 ms");
  EXPECT_THAT(
      told(made),
      AllOf(Contains("The link from switch 4 port 0 to switch 7 limits this network: it carries data 97 % of "
                     "the time, and 100 % of all waiting packets wait for it. [account]"),
            Contains("The window is too short for a verdict: it needs 3 ms. [account]"),
            Contains("Nearly all waiting packets have to cross what they wait for. [account]")));
  expect_plain(made);
}

TEST(Conclusion, NamesNodesThatHaveSlowedTheirFlowsDown) {
  for (const int nodes : {1, 2}) {
    MadeWaiting made;
    for (int i = 0; i < nodes; ++i) {
      MadeWaiting::Root root{.kind = "limiter", .from_node = 5.0 + i, .to_switch = 1, .flows = {{"", 50, 0}}};
      for (double node = 0; node < 32; ++node) root.destinations.emplace_back(node, 1.0);
      made.root(root);
    }
    made.idle_links(100).set("wait_admittance_ns", 5000).status(Status::saturated, "more than it carries");
    EXPECT_EQ(told(made).front(),
              nodes == 1
                  ? "100 % of all waiting packets wait for node 5, which has slowed its flows down. [account]"
                  : "100 % of all waiting packets wait for 2 nodes, which have slowed their flows down. "
                    "[account]");
    expect_plain(made);
  }
}

TEST(Conclusion, FlowsCanBeInTheWayTogether) {
  MadeWaiting made;
  made.root({.to_node = 5, .flows = {{"a", 40, 0}, {"b", 35, 0}, {"c", 35, 10}}, .destinations = {{5, 100}}});
  for (const char* const name : {"a", "b", "c"})
    made.flow({.name = name, .waiting = 35, .victims = 3, .waiting_ns = 5000, .victim_ns = 400});
  made.set("wait_output_ns", 5000).status(Status::saturated, "more than it carries");
  EXPECT_THAT(
      told(made),
      Contains("The packets that wait to cross this link are those of a (40 %), b (35 %) and c (25 %). "
               "[account]"));
  expect_plain(made);
}

TEST(Conclusion, AMemoryTooSmallForItsLink) {
  MadeWaiting made;
  for (int i = 0; i < 64; ++i)
    made.root({.kind = "window", .to_switch = 1, .flows = {{"", 2.0, 0.0}}, .window_load = 0.625});
  made.set("wait_room_ns", 5000).status(Status::saturated, "more than it carries");
  EXPECT_THAT(
      told(made),
      Contains("100 % of all waiting packets wait for memories whose slots are all on the wire: their "
               "credits take so long to return that a link can carry at most 62 % of its rate. "
               "[theorem]"));
  expect_plain(made);
}

TEST(Conclusion, Deadlock) {
  MadeWaiting made;
  made.root({.kind = "cycle", .to_switch = 1, .flows = {{"", 20, 10}}});
  made.set("wait_room_ns", 5000).set("offered_load", 0.5).set("accepted_load", 0.01);
  made.status(Status::deadlock, "2 queues wait for each other");
  EXPECT_THAT(
      told(made),
      ElementsAre("Deadlock: 2 queues wait for each other. [theorem]",
                  "Routes or lanes without cycles of queues cannot deadlock. [theorem]",
                  "Of all traffic, 0.01 of the link rate is delivered, where 0.5 is offered (98 % less). "
                  "[account]"));
  expect_plain(made);
}

TEST(Conclusion, StarvationIsTold) {
  EXPECT_THAT(told(incast(2).set("starved_heads", 1)),
              Contains("1 packet waits at the head of a queue while packets of others take what it lacks: "
                       "starvation. [account]"));
  EXPECT_THAT(told(incast(2).set("starved_heads", 3)),
              Contains("3 packets wait at the head of a queue while packets of others take what they lack: "
                       "starvation. [account]"));
  expect_plain(incast(2).set("starved_heads", 3));
}

TEST(Conclusion, AFlowThatIsHeldUpIsNotInTheWay) {
  MadeWaiting job = incast(4);
  job.result().tables["per_job"] = {{"job", {}, {"storage"}}};
  const auto behind = [&](double others, double itself) {
    job.result().tables["critical_waits"] = {{"job", {}, {"storage", "storage"}},
                                             {"behind", {}, {"background", "storage"}},
                                             {"wait_ns", {others, itself}, {}}};
    return told(job);
  };
  const std::string in_the_way =
      "80 % of the packets that wait to cross these links are those of storage, which has only 10 %";
  EXPECT_THAT(behind(100, 300), Contains(StartsWith(in_the_way)));
  EXPECT_THAT(behind(300, 100),
              AllOf(Contains("80 % of the packets that wait to cross these links are those of "
                             "storage, whose critical path waits behind packets of others. [account]"),
                    Not(Contains(StartsWith(in_the_way)))));

  MadeWaiting lanes = incast(4).set("starved_heads", 2).set("outranked_heads", 2);
  const auto starves = [&](const std::string& flow) {
    lanes.result().tables["stalls"] = {
        {"kind", {}, {"starved", "longest"}}, {"flow", {}, {flow, "storage"}}, {"outranked", {1, 0}, {}}};
    return told(lanes);
  };
  EXPECT_THAT(starves("background"), Contains(StartsWith(in_the_way)));
  EXPECT_THAT(starves("storage"),
              Contains("80 % of the packets that wait to cross these links are those of storage, "
                       "which wait because classes of a higher priority are served first. [account]"));
}

// Only a run without the culprit shows a cause: a job alone, if nothing else is beside it.
TEST(Conclusion, ACauseNeedsARun) {
  MadeWaiting job = incast(4);
  const auto beside = [&](double slowdown) {
    job.result().tables["per_job"] = {{"job", {}, {"background"}}, {"slowdown", {slowdown}}};
    return told(job);
  };
  EXPECT_THAT(beside(3), Contains("The cause is storage: without it, background is 3 times as fast. [run]"));
  EXPECT_THAT(beside(1), Not(Contains(StartsWith("The cause"))));
  job.flow({.name = "backup", .waiting = 1});
  EXPECT_THAT(beside(3), Not(Contains(StartsWith("The cause")))) << "without storage and backup";
}

// Packets to a few nodes can wait for a link on the way that their paths share by chance.
TEST(Conclusion, ALinkOnTheWayIsNotTrafficToItsNodes) {
  MadeWaiting made;
  MadeWaiting::Root root{.from_switch = 22, .to_switch = 5, .from_stage = 1, .to_stage = 0};
  root.flows = {{"", 70, 0}};
  root.destinations = {{3, 40}, {9, 30}};
  made.root(root);
  made.root({.to_node = 3, .flows = {{"", 1, 0}}, .destinations = {{3, 1}}, .utilisation = 0.3});
  made.idle_links(100).set("wait_room_ns", 5000);
  EXPECT_EQ(
      told(made).front(),
      "The link from switch 22 port 0 to switch 5 limits this network: it carries data 100 % of the time, "
      "and 99 % of all waiting packets wait for it. [account]");
}

TEST(Conclusion, SaysThatSharesOfFewPhotographsAreRough) {
  EXPECT_THAT(
      told(incast(2).set("photographs", 3)),
      Contains("These shares are rough: they are of 3 photographs; a shorter observe.interval takes more. "
               "[account]"));
  EXPECT_THAT(told(incast(2)), Not(Contains(HasSubstr("rough"))));
}

TEST(Conclusion, LoadsOfClosedLoopsAndOfEarlierTraffic) {
  MadeWaiting drains = incast(2).set("offered_load", 0.15).set("accepted_load", 0.64);
  EXPECT_THAT(told(drains),
              Contains("Of all traffic, 0.64 of the link rate is delivered, more than is offered in the "
                       "window (0.15): the rest was generated before. [account]"));
  EXPECT_THAT(told(drains.set("closed_loop", 1)), Not(Contains(HasSubstr("offered"))));
}

TEST(Conclusion, IsolationThatRunsOutOfQueues) {
  EXPECT_THAT(
      told(incast(4, 0.2).set("cfq_allocations_refused", 4000)),
      Contains("4000 packets should have moved to a queue for isolation when none was free. [account]"));
}

TEST(Conclusion, NeedsPhotographs) {
  PointResult none;
  EXPECT_THROW(conclude(none), NoResult);
  none.result.metrics = {{"normalised_delay", 2}};
  try {
    conclude(none);
  } catch (const NoResult& error) {
    EXPECT_THAT(error.what(), HasSubstr("slotted network"));
  }
}

// Results come from files, so cells can be missing or damaged.
TEST(Conclusion, SurvivesDamagedTables) {
  MadeWaiting made = incast(3);
  for (auto& [name, table] : made.result().tables)
    for (Column& column : table)
      if (column.words.empty() && !column.values.empty()) column.values.front() = MadeWaiting::kEmpty;
  EXPECT_FALSE(told(made).empty());
  for (auto& [name, table] : made.result().tables) table.pop_back();
  EXPECT_FALSE(told(made).empty());
}

}  // namespace
}  // namespace headway
