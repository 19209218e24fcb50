// SPDX-License-Identifier: Apache-2.0
// A network that is written to files and read back is the same: every topology and routing that files can
// represent, in small sizes, gives the same deliveries.
#include "headway/exports/export.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "headway/compile/build.h"
#include "headway/compile/load.h"
#include "headway/compile/plan.h"
#include "headway/config/assign.h"
#include "headway/config/toml.h"
#include "headway/engine/simulation.h"
#include "headway/run/run.h"
#include "headway/spec/write_spec.h"
#include "tests/property/networks.h"
#include "tests/support/mistakes.h"

namespace headway {
namespace {

using testing::HasSubstr;

std::uint64_t trace_hash(const EventSpec& spec) {
  const Model model = build(spec);
  const auto simulation = make_simulation(model.network, model.workload, {.seed = spec.seed});
  simulation->run_until(3000);
  EXPECT_GT(simulation->record().counters.packets_delivered, 30U);
  return simulation->record().trace_hash;
}

EventSpec spec_of(const Choice<Topology>& topology, const Choice<Routing>& routing) {
  EventSpec spec;
  spec.network.topology = topology;
  spec.routing.algorithm = routing;
  spec.traffic.flows.front().load = {.points = {{Duration{0}, 0.8}}};
  spec.measure.warmup = Duration{0};
  spec.measure.duration = Duration{4000};
  return spec;
}

class Export : public testing::Test {
 protected:
  // Unique per process, because the tests of several builds can run at the same time.
  static std::string own_path(const std::string& suffix) {
    return testing::TempDir() + "headway_export_" + std::to_string(getpid()) + suffix;
  }
  EventSpec read_back(const std::vector<ExportedFile>& files) const {
    const std::filesystem::path folder = own_path("");
    std::filesystem::create_directories(folder);
    for (const ExportedFile& file : files) std::ofstream(folder / file.name) << file.content;
    return std::get<EventSpec>(load_experiment(read_toml(folder / "spec.toml")).points.front().spec());
  }
  std::string refusal(const EventSpec& spec) const {
    try {
      export_files(spec);
    } catch (const SpecError& error) {
      return error.what();
    }
    return "";
  }
};

TEST_F(Export, EveryNetworkThatFilesCanSayGivesTheSameDeliveries) {
  std::set<std::string_view> topologies_seen, routings_seen;
  std::map<std::string_view, int> exported;
  for (const auto& [label, topology] : variants(topologies())) {
    Mistakes mistakes;
    topology->check(mistakes);
    if (!mistakes.empty() || topology->nodes() > 40 || topology->nodes() < 4) continue;
    if (has_several_networks(topology)) continue;  // refused
    if (++exported[topology.name] > 4) continue;
    for (const Entry<Routing>& entry : routings()) {
      const EventSpec spec = spec_of(topology, choose(routings(), entry.name));
      const Mistakes of_spec = test::mistakes_of(spec);
      if (!of_spec.empty()) continue;
      SCOPED_TRACE(label + ", " + std::string(entry.name));
      try {
        const EventSpec back = read_back(export_files(spec));
        EXPECT_EQ(back.network.topology.name, "file");
        EXPECT_EQ(trace_hash(back), trace_hash(spec));
        topologies_seen.insert(topology.name);
        routings_seen.insert(entry.name);
      } catch (const SpecError& error) {
        const std::string why = error.what();
        EXPECT_TRUE(why.find("lanes") != why.npos || why.find("detours") != why.npos ||
                    why.find("selection function") != why.npos || why.find("bubble") != why.npos ||
                    why.find("unidirectional") != why.npos || why.find("several ports in a way") != why.npos)
            << why;
      }
    }
  }
  for (const char* name : {"single-switch", "k-ary-n-tree", "mesh", "hyperx", "bmin"})
    EXPECT_TRUE(topologies_seen.contains(name)) << name;
  for (const char* name : {"det", "random-up", "dor"}) EXPECT_TRUE(routings_seen.contains(name)) << name;
  if (find(routings(), "up-down") == nullptr) return;
  for (const char* name : {"torus", "dragonfly"}) EXPECT_TRUE(topologies_seen.contains(name)) << name;
  for (const char* name : {"up-down", "ecmp", "spray"}) EXPECT_TRUE(routings_seen.contains(name)) << name;
}

TEST_F(Export, WritesTheQueuesOfStaticSchemes) {
  for (const char* scheme : {"1q", "voqsw", "voqnet", "dbbm", "obqa"}) {
    EventSpec spec =
        spec_of(choose(topologies(), "k-ary-n-tree", {{"k", 3}, {"n", 2}}), choose(routings(), "det"));
    spec.switches.scheme = choose(schemes(), scheme);
    const EventSpec back = read_back(export_files(spec));
    EXPECT_EQ(back.switches.scheme.name, "table");
    EXPECT_EQ(trace_hash(back), trace_hash(spec)) << scheme;
  }
  EventSpec spec =
      spec_of(choose(topologies(), "k-ary-n-tree", {{"k", 3}, {"n", 2}}), choose(routings(), "det"));
  spec.switches.scheme = choose(schemes(), "fbicm");
  const EventSpec back = read_back(export_files(spec));
  EXPECT_EQ(back.switches.scheme.name, "fbicm");
  EXPECT_EQ(trace_hash(back), trace_hash(spec));
}

TEST_F(Export, WritesTablesOfQueues) {
  const std::string path = own_path("_queues.txt");
  std::ofstream(path) << "stage output source queue\n* * * 0\n0 1 * 1\n1 * 3-5 2\n";
  EventSpec spec =
      spec_of(choose(topologies(), "k-ary-n-tree", {{"k", 3}, {"n", 2}}), choose(routings(), "det"));
  spec.switches.scheme = choose(schemes(), "table", {{"file", path}});
  const EventSpec back = read_back(export_files(spec));
  EXPECT_EQ(trace_hash(back), trace_hash(spec));
}

TEST_F(Export, KeepsTheSaltOfHashes) {
  for (const char* routing : {"ecmp", "spray"}) {
    EventSpec spec =
        spec_of(choose(topologies(), "k-ary-n-tree", {{"k", 3}, {"n", 2}}), choose(routings(), routing));
    for (const bool own : {false, true}) {
      if (own && spec.routing.algorithm.name != "ecmp") continue;
      if (own) assign(*spec.routing.algorithm, Argument{"salt", 5});
      std::set<std::uint64_t> hashes;
      for (spec.seed = 1; spec.seed < 4; ++spec.seed) {
        const EventSpec back = read_back(export_files(spec));
        EXPECT_EQ(trace_hash(back), trace_hash(spec)) << routing << ' ' << spec.seed;
        hashes.insert(trace_hash(spec));
      }
      EXPECT_EQ(hashes.size(), 3U);
    }
  }
}

// Also where they are what keeps the routes of a file from a deadlock.
TEST_F(Export, KeepsServiceLevels) {
  EventSpec spec =
      spec_of(choose(topologies(), "k-ary-n-tree", {{"k", 3}, {"n", 2}}), choose(routings(), "det"));
  spec.switches.lanes = 2;
  spec.traffic.flows.front().service_level = 1;
  spec.traffic.flows.push_back(spec.traffic.flows.front());
  spec.traffic.flows.back().service_level = 2;
  EXPECT_EQ(trace_hash(read_back(export_files(spec))), trace_hash(spec));

  // Three switches in a ring, one node at each: every packet goes round the same way.
  const std::string path = own_path("_ring");
  std::ofstream(path + ".toml") << R"([[switch]]
ports = 3
[[switch]]
ports = 3
[[switch]]
ports = 3
[[node]]
at = "0:0"
[[node]]
at = "1:0"
[[node]]
at = "2:0"
[[link]]
ends = ["0:1", "1:2"]
[[link]]
ends = ["1:1", "2:2"]
[[link]]
ends = ["2:1", "0:2"]
)";
  std::ofstream(path + ".routes") << "switch 0\n0 0\n* 1\nswitch 1\n1 0\n* 1\nswitch 2\n2 0\n* 1\n";
  std::ofstream(path + ".lanes") << "hop lane\n0 0\n* 1\n";
  spec = spec_of(choose(topologies(), "file", {{"file", path + ".toml"}}),
                 choose(routings(), "table", {{"file", path + ".routes"}, {"cycles", "lanes"}}));
  spec.switches.lanes = 2;
  spec.switches.lane_table = InputFile(path + ".lanes");
  const EventSpec back = read_back(export_files(spec));
  EXPECT_EQ(trace_hash(back), trace_hash(spec));
  EXPECT_THAT(write_toml(resolved(Spec(back))), HasSubstr("cycles = \"lanes\""));
}

TEST_F(Export, KeepsNamesAndLinksOfAFile) {
  const std::string path = own_path("_names.toml");
  std::ofstream(path) << R"([[switch]]
name = "left"
ports = 4
[[switch]]
name = "right:2"
[[node]]
at = "left:3"
name = "a \"b\""
rate = "2 GB/s"
[[node]]
at = "left"
[[node]]
at = "right:2"
[[link]]
ends = ["left:1", "right:2:4"]
delay = "7 ns"
)";
  std::ofstream(path + ".txt") << "switch left\n0 3\n1 0\n2 1\nswitch right:2\n2 0\n* 4\n";
  const EventSpec spec = spec_of(choose(topologies(), "file", {{"file", path}}),
                                 choose(routings(), "table", {{"file", path + ".txt"}}));
  const EventSpec back = read_back(export_files(spec));
  EXPECT_EQ(back.network.topology->names().switches, spec.network.topology->names().switches);
  EXPECT_EQ(back.network.topology->names().nodes, spec.network.topology->names().nodes);
  EXPECT_EQ(trace_hash(back), trace_hash(spec));
}

// The exported spec names the failed links, so its results report the same pairs as cut off.
TEST_F(Export, KeepsFailures) {
  using Links = std::vector<std::string>;
  for (const Links& failed : {Links{"0:2"}, Links{"0:2", "0:3"}})
    for (const char* routing : {"det", "random-up", "up-down"}) {
      SCOPED_TRACE(testing::Message() << routing << ' ' << failed.size());
      EventSpec spec =
          spec_of(choose(topologies(), "k-ary-n-tree", {{"k", 2}, {"n", 3}}), choose(routings(), routing));
      spec.network.faults.failed.at = failed;
      spec.network.faults.slow.part = 0.2;
      spec.network.faults.unreachable = Unreachable::reported;
      const Result before = run(spec), after = run(read_back(export_files(spec)));
      EXPECT_EQ(after.metric("cut_off_pairs"), failed.size() == 1 ? 0 : 2 * 2 * 6);
      ASSERT_EQ(after.table("cut_off").size(), before.table("cut_off").size());
      for (std::size_t column = 0; column < before.table("cut_off").size(); ++column)
        EXPECT_EQ(after.table("cut_off")[column].values, before.table("cut_off")[column].values);
      EXPECT_EQ(after.metric("cut_off_share"), before.metric("cut_off_share"));
      EXPECT_EQ(after.trace_hash, before.trace_hash);
    }
}

TEST_F(Export, SaysWhatFilesCannot) {
  using List = std::vector<std::int64_t>;
  const Choice<Topology> tree = choose(topologies(), "k-ary-n-tree", {{"k", 2}, {"n", 2}});
  EXPECT_THAT(refusal(spec_of(tree, choose(routings(), "adaptive"))),
              HasSubstr("are chosen by a selection function"));
  EXPECT_THAT(
      refusal(spec_of(choose(topologies(), "torus", {{"sides", List{4, 4}}}), choose(routings(), "dor"))),
      HasSubstr("need bubble flow control"));
  const Choice<Topology> dragonfly =
      choose(topologies(), "dragonfly", {{"p", 2}, {"a", 2}, {"h", 1}, {"g", 3}});
  EXPECT_THAT(refusal(spec_of(dragonfly, choose(routings(), "minimal"))), HasSubstr("lanes"));
  EXPECT_THAT(refusal(spec_of(dragonfly, choose(routings(), "valiant"))), HasSubstr("take detours"));
  EventSpec rerouted = spec_of(tree, choose(routings(), "det"));
  rerouted.events = {{.link = "0:2", .at = Duration{100}}};
  rerouted.measure.warmup = Duration{0};
  rerouted.routing.reroute_after = Duration{10};
  EXPECT_THAT(refusal(rerouted), HasSubstr("change during the run"));
  EventSpec reduced = spec_of(tree, choose(routings(), "det"));
  assign(*reduced.traffic.jobs.emplace_back().program, {"algorithm", std::string("in-network")});
  EXPECT_THAT(refusal(reduced), HasSubstr("switches reduce for it"));
  EXPECT_THAT([] { export_files(choose(kernels(), "slotted")); },
              testing::ThrowsMessage<SpecError>(HasSubstr("kernel: a slotted network cannot be written")));
}

TEST_F(Export, RefusesNetworksWithOtherLinksThanTheirs) {
  EventSpec spec;
  spec.what_if.network.perfect_switch = true;
  EXPECT_THAT(
      [&] { export_files(Spec(spec)); },
      testing::ThrowsMessage<SpecError>(HasSubstr("a network with changes of its links cannot be written")));
}

}  // namespace
}  // namespace headway
