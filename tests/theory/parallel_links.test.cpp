// SPDX-License-Identifier: Apache-2.0
// Dragonflies and dragonflies+ with 1, 2, 4 and 8 links between two groups carry what their routes permit, of
// the worst case, in which every group sends to the next one, and of uniform traffic. The switches have a
// queue per destination, a crossbar at twice the rate of the links and deep queues, so that links are the
// bottleneck.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "headway/compile/load.h"
#include "headway/config/toml.h"
#include "headway/run/run.h"
#include "headway/spec/read_spec.h"
#include "tests/cli/repository.h"
#include "tests/support/link_loads.h"

namespace headway {
namespace {

struct Fabric {
  std::string keys;     // of [network]
  std::uint32_t links;  // between two groups
  std::uint32_t groups;
};

// A group has 8 nodes and 8 links to others.
std::vector<Fabric> fabrics() {
  std::vector<Fabric> result;
  for (const char* keys : {"topology = \"dragonfly\"\np = 2\na = 4\nh = 2\n",
                           "topology = \"dragonfly-plus\"\np = 2\nleaves = 4\nspines = 4\nh = 2\n"})
    for (const std::uint32_t links : {1U, 2U, 4U, 8U})
      result.push_back({keys + fmt::format("g = {}\n", 8 / links + 1), links, 8 / links + 1});
  return result;
}
constexpr NodeId kNodesOfGroup = 8;

EventSpec spec_of(const std::string& network, const std::string& routing, const std::string& pattern) {
  const std::string text = fmt::format(R"(
[network]
{}
link = {{ rate = "64 GB/s", delay = "1 ns" }}
[routing]
{}
[switch]
scheme = "voqnet"
architecture = "cioq"
crossbar_speedup = 2
queue_memory = "4 KiB"
output_memory = "256 KiB"
[traffic]
packet = "64 B"
[measure]
warmup = "2000 ns"
duration = "3000 ns"
[[traffic.flow]]
load = 1
pattern = {}
)",
                                       network, routing, pattern);
  Mistakes mistakes;
  const EventSpec spec = std::get<EventSpec>(read_spec(parse_toml(text, "x"), mistakes).spec);
  mistakes.throw_if_any();
  return spec;
}

double accepted(const EventSpec& spec) { return run(Spec(spec)).metric("accepted_load"); }

const std::string kNextGroupByLinks = "\"next-group\"\nsize = 8", kUniformByLinks = "\"uniform\"";

test::LinkLoads loads_of(const EventSpec& spec) {
  Graph graph = spec.network.topology->build(spec.network.link);
  Routes routes = spec.routing.algorithm->build(graph);
  return {std::move(graph), std::move(routes)};
}
std::vector<test::Demand> worst_case(const EventSpec& spec) {
  return test::to_next_group(spec.network.topology->build({}), kNodesOfGroup);
}

// Fixed and random routes carry what a count of their paths says: packets of a group have the links to the
// next one, or those to all others twice.
TEST(ParallelLinks, CarryWhatTheRoutesPermitOfTheWorstCase) {
  for (const Fabric& fabric : fabrics())
    for (const std::string routing : {"minimal", "valiant"}) {
      EventSpec spec = spec_of(fabric.keys, fmt::format("algorithm = \"{}\"", routing), kNextGroupByLinks);
      const double counted = loads_of(spec).of_counted_paths(worst_case(spec));
      if (routing == "minimal") {
        EXPECT_DOUBLE_EQ(counted, std::min(1.0, 1.0 * fabric.links / kNodesOfGroup));
      }
      spec.traffic.flows[0].load.points[0].load = counted;
      EXPECT_NEAR(accepted(spec), counted, 0.03 * counted) << fabric.keys << routing;
    }
}

// Packets that choose by load carry more than the better of the two (Kim et al., ISCA 2008, section 4.2). PAR
// carries nearly what the best division of the packets among all their paths does. UGAL with local knowledge
// sees less, above all in a dragonfly+: there, the links up from a leaf are those of both kinds of paths.
TEST(ParallelLinks, CarryTheBetterOfDirectPathsAndDetoursIfPacketsChoose) {
  for (const Fabric& fabric : fabrics()) {
    double better = 0;
    for (const char* routing : {"algorithm = \"minimal\"", "algorithm = \"valiant\""}) {
      const EventSpec spec = spec_of(fabric.keys, routing, kNextGroupByLinks);
      better = std::max(better, loads_of(spec).of_counted_paths(worst_case(spec)));
    }
    const EventSpec ugal = spec_of(fabric.keys, "algorithm = \"ugal\"", kNextGroupByLinks);
    const double best = loads_of(ugal).best(worst_case(ugal));
    const auto carried = [&](const char* routing) {
      const double of_routing = accepted(spec_of(fabric.keys, routing, kNextGroupByLinks));
      EXPECT_LT(of_routing, 1.05 * best) << fabric.keys << routing;
      return of_routing;
    };
    EXPECT_GT(accepted(ugal), 0.97 * better) << fabric.keys;
    EXPECT_GT(carried("algorithm = \"ugal\"\nknowledge = \"global\""), 0.9 * best) << fabric.keys;
    EXPECT_GT(carried("algorithm = \"par\""), 0.97 * best) << fabric.keys;
  }
}

// PAR decides again at the spines of a dragonfly+, so without a bias some packets take detours that do not
// pay.
TEST(ParallelLinks, CarryWhatDfssspCarriesOfUniformTraffic) {
  for (const Fabric& fabric : fabrics()) {
    const double shared = accepted(spec_of(fabric.keys, "algorithm = \"dfsssp\"", kUniformByLinks));
    for (const char* routing :
         {"algorithm = \"minimal\"", "algorithm = \"ugal\"", "algorithm = \"par\"\nbias = 4"})
      EXPECT_GT(accepted(spec_of(fabric.keys, routing, kUniformByLinks)), 0.98 * shared)
          << fabric.keys << routing;
  }
}

// 32 nodes of a group have 32 links to the other one, or 16 nodes have 16: no link is the bottleneck.
// Switches without output queues lose a little near their full load.
TEST(ParallelLinks, CarryTheWholeLoadBetweenTwoGroupsWithManyLinks) {
  for (const char* file : {"dragonfly-parallel", "dragonfly-plus-parallel"}) {
    const Experiment experiment =
        load_experiment(parse_toml(test::repository_file(fmt::format("tests/findings/{}.toml", file)), file));
    std::map<std::string, double> input_queued, with_output_queues;
    for (const Point& point : experiment.points) {
      EventSpec spec = std::get<EventSpec>(point.spec());
      const std::string routing(spec.routing.algorithm.name);
      input_queued[routing] = accepted(spec);
      spec.switches.architecture = Architecture::cioq;
      spec.switches.crossbar_speedup = 2;
      spec.switches.output_memory = Bytes{16 * 1024};
      with_output_queues[routing] = accepted(spec);
    }
    EXPECT_GE(input_queued.size(), 2U);
    for (const auto& [routing, carried] : input_queued) {
      EXPECT_GE(carried, 0.98 * input_queued.at("dfsssp")) << file << ' ' << routing;
      if (routing != "dfsssp") {
        EXPECT_NEAR(with_output_queues.at(routing), 0.9, 0.01) << file << ' ' << routing;
      }
    }
  }
}

}  // namespace
}  // namespace headway
