// SPDX-License-Identifier: Apache-2.0
// All tables and metrics at once, with every mechanism that adds to them and with every kind of traffic, also
// none at all.
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "headway/catalogue/names.h"
#include "headway/compile/load.h"
#include "headway/config/toml.h"
#include "headway/metrics/tables.h"
#include "headway/run/run.h"
#include "tests/cli/repository.h"
#include "tests/support/columns.h"

namespace headway {
namespace {

struct Piece {
  std::string name;
  std::string root;       // keys with dots
  std::string flow = {};  // keys of every flow
};

std::vector<Piece> mechanisms() {
  std::vector<Piece> all = {{"nothing", ""}};
  for (const Entry<Scheme>& scheme : schemes())
    if (scheme.name != "table")
      all.push_back(
          {fmt::format("scheme {}", scheme.name), fmt::format("switch.scheme = \"{}\"\n", scheme.name)});
  for (const Entry<LinkFlowControl>& control : link_flow_controls())
    all.push_back({fmt::format("{}", control.name),
                   fmt::format("switch.flow_control = \"{}\"\nnode.receive_rate = 0.5\n", control.name)});
  for (const Entry<Reaction>& reaction : reactions()) {
    if (reaction.name == "none") continue;
    const std::string reacts = fmt::format("node.reaction = \"{}\"\nswitch.marking = \"{}\"\n", reaction.name,
                                           reaction.name == "infiniband" ? "infiniband" : "red");
    all.push_back({fmt::format("reaction {}", reaction.name), reacts});
    all.push_back({fmt::format("reaction {} with packets of notifications", reaction.name),
                   reacts + "switch.lanes = 2\nnode.notification_packet = \"8 B\"\n"
                            "node.notification_service_level = 1\n"});
  }
  all.push_back(
      {"CCFIT",
       "switch.scheme = \"fbicm\"\nswitch.marking = \"isolation\"\nnode.reaction = \"infiniband\"\n"});
  all.push_back({"classes",
                 "switch.lanes = 2\nswitch.lane_turns = \"strict\"\n"
                 "class = [{ lanes = [0] }, { lanes = [1], strict = true }]\n",
                 "service_level = 1\n"});
  all.push_back({"failures",
                 "network.failures = { links = 0.5, unreachable = \"reported\" }\n"
                 "routing.algorithm = \"up-down\"\n"});
  all.push_back({"all links have failed",
                 "network.failures = { links = 1.0, unreachable = \"reported\" }\n"
                 "routing.algorithm = \"up-down\"\n"});
  all.push_back({"CIOQ and adaptive", "switch.architecture = \"cioq\"\nrouting.algorithm = \"adaptive\"\n"});
  return all;
}

struct Traffic {
  std::string name;
  std::vector<std::string> flows;
  std::string more = {};
};

std::vector<Traffic> traffics() {
  const std::string job = "[[traffic.job]]\nprogram = \"all-to-all\"\nsize = \"64 B\"\n";
  const std::string trace =
      "[[traffic.trace]]\nformat = \"synthetic\"\nlength = \"2 us\"\non = \"100 ns\"\noff = \"100 ns\"\n"
      "flush_period = \"500 ns\"\nresponse = \"100 ns\"\nrate = \"1 GB/s\"\n";
  return {{"a flow", {"load = 0.5\n"}},
          {"long messages", {"load = 0.5\nmessage = \"200 B\"\n"}},
          {"no load", {"load = 0\n"}},
          {"a flow after the window", {"load = [[\"0 us\", 0.0], [\"9 us\", 1.0]]\n"}},
          {"a flow before the window", {"load = 0.5\nstop = \"500 ns\"\n"}},
          {"two flows", {"load = 0.2\n", "load = 0.9\npattern = \"hotspot\"\n"}},
          {"saturated", {"arrivals = \"saturated\"\n"}},
          {"a job", {}, job},
          {"a job after the window", {}, job + "start = \"9 us\"\n"},
          {"a flow and a job", {"load = 0.3\n"}, job},
          {"a trace", {}, trace},
          {"a flow, a trace and a job", {"load = 0.3\n"}, job + trace}};
}

std::vector<std::string_view> all_tables() {
  for (const catalogue::NamedValues& values : catalogue::named_values("measure.tables"))
    if (values.key == "measure.tables") return values.names;
  return {};
}

std::string text_of(const Piece& mechanism, const Traffic& traffic, bool waiting,
                    std::vector<std::string_view> tables) {
  std::string text = "network.topology = \"k-ary-n-tree\"\nnetwork.k = 2\nnetwork.n = 2\n" + mechanism.root;
  text += fmt::format(
      "measure = {{ warmup = \"1 us\", duration = \"2 us\", bin = \"500 ns\", tables = [\"{}\"]{} }}\n",
      fmt::join(tables, "\", \""), waiting ? ", watch_destination = 1" : "");
  if (waiting) text += "observe = { waiting = true, interval = \"100 ns\" }\n";
  for (const std::string& flow : traffic.flows) text += "[[traffic.flow]]\n" + mechanism.flow + flow;
  return text + traffic.more;
}

// Not all traffic has a fair share, and not every combination is legal.
std::optional<EventSpec> spec_of(const Piece& mechanism, const Traffic& traffic, bool waiting) {
  std::vector<std::string_view> tables = all_tables();
  for (const bool fairness : {true, false}) {
    if (!fairness) std::erase(tables, "fairness");
    try {
      const Experiment experiment =
          load_experiment(parse_toml(text_of(mechanism, traffic, waiting, tables), "x"));
      return std::get<EventSpec>(experiment.points.front().spec());
    } catch (const SpecError& error) {
      const bool of_tables = std::ranges::all_of(
          error.mistakes(), [](const Mistake& mistake) { return mistake.key == "measure.tables"; });
      if (!fairness || !of_tables) return std::nullopt;
    }
  }
  return std::nullopt;
}

TEST(AllTables, OfEveryMechanismAndTraffic) {
  ASSERT_GE(all_tables().size(), 13U);
  std::size_t runs = 0, refused = 0;
  for (const Piece& mechanism : mechanisms())
    for (const Traffic& traffic : traffics())
      for (const bool waiting : {false, true}) {
        SCOPED_TRACE(fmt::format("{}, {}{}", mechanism.name, traffic.name, waiting ? ", observed" : ""));
        const std::optional<EventSpec> spec = spec_of(mechanism, traffic, waiting);
        if (!spec) {
          ++refused;
          continue;
        }
        ++runs;
        RunOptions options;
        options.check = true;
        const Result result = run(*spec, options);
        for (const auto& [name, table] : result.tables) {
          ASSERT_FALSE(table.empty()) << name;
          for (const Column& column : table)
            EXPECT_EQ(std::max(column.values.size(), column.words.size()), rows_of(table))
                << name << ": " << column.name;
        }
        for (const char* name : {"distributions", "per_link", "per_pair"})
          EXPECT_GT(rows_of(result.table(name)), 0U) << name;
      }
  EXPECT_GT(runs, 400U);
  EXPECT_LT(refused, runs / 4);
}

// One flow and the packets of notifications are two rows of tables by flow.
TEST(AllTables, CountNotificationsAsAFlow) {
  const std::string text = test::repository_file("tests/findings/notices-crash.toml");
  const Result result =
      run(std::get<EventSpec>(load_experiment(parse_toml(text, "x")).points.front().spec()));
  const Table& distributions = result.table("distributions");
  EXPECT_EQ(rows_of(distributions), 2U * 105);
  EXPECT_EQ(distributions.front().words.front(), "flow 0");
  EXPECT_EQ(distributions.front().words.back(), "notifications");
  EXPECT_EQ(rows_of(result.table("per_flow")), 2U);
}

}  // namespace
}  // namespace headway
