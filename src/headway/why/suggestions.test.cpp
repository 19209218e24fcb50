// SPDX-License-Identifier: Apache-2.0
#include "headway/why/suggestions.h"

#include <gmock/gmock.h>

#include "headway/why/path_account.h"

namespace headway {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

constexpr double kEmpty = kNaN;

// A path of 1000 ns, made by hand.
class MadePath {
 public:
  struct Wait {
    std::string behind;
    double ns, slow_ns = 0;
    std::string kind = "link", waiting = "room";
    double port = 0, from_switch = kEmpty, from_node = kEmpty, to_switch = kEmpty, to_node = kEmpty;
  };

  MadePath() {
    add("per_job", {{"completion_ns", 1000}}, {{"job", "train"}});
    for (const char* const part : {"compute", "overhead", "transfer", "serialisation", "narrow", "slow",
                                   "propagation", "switch", "rest", "wait"})
      set(part, 0);
    point_.result.metrics = {{"train.path_wait_ns", 0}, {"port_memory_bytes", 4096}};
  }

  MadePath& set(const std::string& part, double ns) {
    Table& jobs = point_.result.tables["per_job"];
    const std::string name = "path_" + part + "_ns";
    std::erase_if(jobs, [&](const Column& column) { return column.name == name; });
    jobs.push_back({name, {ns}});
    return *this;
  }
  MadePath& wait(const Wait& wait) {
    add("critical_waits",
        {{"wait_ns", wait.ns},
         {"slow_ns", wait.slow_ns},
         {"port", wait.port},
         {"from_switch", wait.from_switch},
         {"from_node", wait.from_node},
         {"from_port", 0},
         {"to_switch", wait.to_switch},
         {"to_node", wait.to_node}},
        {{"job", "train"}, {"waiting", wait.waiting}, {"behind", wait.behind}, {"kind", wait.kind}});
    return *this;
  }
  struct Link {
    double port, from_switch, from_node, from_port, to_switch, to_node, to_port, slow_ns, wait_slow_ns;
  };
  MadePath& link(const Link& link) {
    add("critical_links",
        {{"port", link.port},
         {"from_switch", link.from_switch},
         {"from_node", link.from_node},
         {"from_port", link.from_port},
         {"to_switch", link.to_switch},
         {"to_node", link.to_node},
         {"to_port", link.to_port},
         {"rate_gb_per_s", 10},
         {"usual_rate_gb_per_s", 40},
         {"slow_ns", link.slow_ns},
         {"wait_slow_ns", link.wait_slow_ns}},
        {{"job", "train"}, {"behind", ""}});
    return *this;
  }

  PointResult& point() { return point_; }
  std::vector<Suggestion> suggested() const { return suggestions(point_, "train"); }
  std::vector<std::string> texts() const {
    std::vector<std::string> all;
    for (const Suggestion& one : suggested()) all.push_back(one.what);
    return all;
  }

 private:
  void add(const std::string& table, const std::vector<std::pair<std::string, double>>& numbers,
           const std::vector<std::pair<std::string, std::string>>& words) {
    Table& to = point_.result.tables[table];
    const auto column = [&](const std::string& name) -> Column& {
      for (Column& each : to)
        if (each.name == name) return each;
      to.push_back({name});
      return to.back();
    };
    for (const auto& [name, value] : numbers) column(name).values.push_back(value);
    for (const auto& [name, word] : words) column(name).words.push_back(word);
  }

  PointResult point_;
};

TEST(Suggestions, ASlowLinkOfANodeIsOneLinkInBothDirections) {
  MadePath made;
  made.set("serialisation", 250).set("slow", 700).set("propagation", 50);
  made.link({8, kEmpty, 13, 0, 1, kEmpty, 5, 600, 0}).link({5, 1, kEmpty, 5, kEmpty, 13, 0, 100, 0});
  const std::vector<Suggestion> all = made.suggested();
  ASSERT_EQ(all.size(), 1);
  EXPECT_EQ(all[0].part, PathPart::slow_link);
  EXPECT_DOUBLE_EQ(all[0].share, 0.7);
  EXPECT_EQ(all[0].what, "the link of node 13 at the rate of its peers");
  EXPECT_DOUBLE_EQ(all[0].most_gain, 1000 / 300.0);
  EXPECT_THAT(all[0].set, ElementsAre(Pair("what_if.usual_rates", "[\"1:5\"]")));
  made.point().names.switches = {"leaf0", "leaf1"};
  EXPECT_THAT(made.suggested()[0].set, ElementsAre(Pair("what_if.usual_rates", "[\"leaf1:5\"]")));
}

// Waiting has two keys: why the link is slow, and whose packets it sends.
TEST(Suggestions, TheSameWaitingCanBeForASlowLinkAndBehindOthers) {
  MadePath made;
  made.set("serialisation", 60).set("rest", 40).set("wait", 900);
  made.wait({.behind = "storage", .ns = 900, .slow_ns = 800, .from_switch = 7, .to_switch = 3});
  made.link({79, 7, kEmpty, 3, 3, kEmpty, 11, 0, 800});
  const std::vector<Suggestion> all = made.suggested();
  EXPECT_THAT(made.texts(), ElementsAre("without storage",
                                        "the link between switch 7 and switch 3 (3:11) at the rate of its "
                                        "peers"));
  EXPECT_THAT(all[0].set, ElementsAre(Pair("what_if.without", "[\"storage\"]")));
  EXPECT_DOUBLE_EQ(all[0].share, 0.9);
  EXPECT_DOUBLE_EQ(all[0].most_gain, 1000 / 60.0) << "the rest of the transfer can go, too";
  EXPECT_THAT(all[1].set, ElementsAre(Pair("what_if.usual_rates", "[\"3:11\"]")));
}

// What packets of the job wait for each other at a slow link is the link's; the others collide.
TEST(Suggestions, PacketsOfTheJobThatCollide) {
  MadePath made;
  made.set("serialisation", 100).set("propagation", 50).set("wait", 850);
  made.wait({.behind = "train", .ns = 400, .from_switch = 0, .to_switch = 8});
  made.wait({.behind = "train", .ns = 300, .slow_ns = 225, .from_switch = 8, .to_switch = 0});
  made.wait({.behind = "train", .ns = 150, .from_node = 3, .to_switch = 0});
  made.link({16, 8, kEmpty, 0, 0, kEmpty, 16, 0, 225});
  EXPECT_THAT(made.texts(), ElementsAre("random paths",
                                        "the link between switch 8 and switch 0 (0:16) at the rate of its "
                                        "peers"));
  const Suggestion paths = made.suggested()[0];
  EXPECT_DOUBLE_EQ(paths.share, 0.475);
  EXPECT_DOUBLE_EQ(paths.most_gain, 10) << "other paths can be shorter";
  EXPECT_THAT(paths.set, ElementsAre(Pair("routing.algorithm", "spray")));
}

TEST(Suggestions, EachKindOfRootHasItsChange) {
  const auto only = [](const MadePath::Wait& wait) {
    MadePath made;
    made.set("serialisation", 500).set("wait", 500).wait(wait);
    const std::vector<Suggestion> all = made.suggested();
    EXPECT_EQ(all.size(), 1);
    EXPECT_DOUBLE_EQ(all.front().most_gain, 2);
    return all.front();
  };
  const Suggestion memory = only({.behind = "", .ns = 500, .kind = "window", .to_switch = 1});
  EXPECT_EQ(memory.part, PathPart::credits);
  EXPECT_THAT(memory.set, ElementsAre(Pair("switch.input_memory", "262144 B")));
  const Suggestion receivers = only({.behind = "train", .ns = 500, .kind = "receiver", .from_node = 2});
  EXPECT_THAT(receivers.set, ElementsAre(Pair("what_if.fast_receivers", "true")));
  const Suggestion control =
      only({.behind = "", .ns = 500, .kind = "limiter", .waiting = "limited", .from_node = 2});
  EXPECT_THAT(control.set, ElementsAre(Pair("node.reaction", "none"), Pair("switch.marking", "none")));
}

TEST(Suggestions, NarrowLinks) {
  MadePath made;
  made.set("serialisation", 150).set("narrow", 800).set("propagation", 50);
  EXPECT_THAT(made.texts(), ElementsAre("routes over wider links"));
  EXPECT_THAT(made.suggested()[0].set, ElementsAre(Pair("routing.algorithm", "up-down")));
}

// Ten links that each cost less than a tenth of the path.
TEST(Suggestions, ManySlowLinksTogether) {
  MadePath made;
  made.set("serialisation", 200).set("slow", 800);
  for (double port = 0; port < 10; ++port) made.link({port, port, kEmpty, 0, 20, kEmpty, port, 80, 0});
  EXPECT_THAT(made.texts(), ElementsAre("all slow links at the rate of their peers"));
  EXPECT_DOUBLE_EQ(made.suggested()[0].most_gain, 5);
  EXPECT_THAT(made.suggested()[0].set, ElementsAre(Pair("what_if.usual_rates", "[\"all\"]")));
}

// No change of the network removes computing, overhead, the job's own bytes, delays, or waiting for the links
// of its own nodes.
TEST(Suggestions, NothingForAHealthyJob) {
  MadePath made;
  made.set("compute", 400).set("overhead", 100).set("serialisation", 200).set("propagation", 200);
  made.set("wait", 100).wait({.behind = "train", .ns = 100, .from_node = 3, .to_switch = 0});
  EXPECT_THAT(made.suggested(), IsEmpty());
  EXPECT_THAT(suggestions(made.point(), "storage"), IsEmpty()) << "no such job";
  EXPECT_THAT(suggestions(PointResult{}, "train"), IsEmpty());
}

TEST(PathAccount, DividesAllWaiting) {
  MadePath made;
  made.set("wait", 900).set("serialisation", 100);
  made.wait({.behind = "a", .ns = 100, .from_switch = 0, .to_node = 1});
  made.wait({.behind = "b", .ns = 50, .kind = "receiver", .from_node = 1});
  made.wait({.behind = "train", .ns = 200, .kind = "receiver", .from_node = 1});
  made.wait({.behind = "train", .ns = 300, .from_switch = 0, .to_switch = 1});
  made.wait({.behind = "train", .ns = 150, .from_switch = 0, .to_node = 1});
  made.wait({.behind = "train", .ns = 75, .kind = "input", .from_switch = 0, .to_switch = 1});
  made.wait({.behind = "", .ns = 25, .kind = "window", .from_switch = 0, .to_switch = 1});
  const PathAccount path = path_account(made.point(), "train").value();
  EXPECT_THAT(path.others_ns, ElementsAre(Pair("a", 100), Pair("b", 50)));
  EXPECT_EQ(path.receiver_ns, 200);
  EXPECT_EQ(path.slow_receivers_ns, 250);
  EXPECT_EQ(path.itself_between_ns, 300);
  EXPECT_EQ(path.itself_own_ns, 150);
  EXPECT_EQ(path.inputs_ns, 75);
  EXPECT_EQ(path.else_ns, 0);
  EXPECT_EQ(path.credits_ns, 25);
  EXPECT_DOUBLE_EQ(path.share(path.behind_others_ns()), 0.15);
}

}  // namespace
}  // namespace headway
