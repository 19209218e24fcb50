// SPDX-License-Identifier: Apache-2.0
// Dragonflies and dragonflies+ with 1, 2, 4 and 8 links between two groups carry what their routes permit, of
// the worst case, in which every group sends to the next one, and of uniform traffic. The switches have a
// queue per destination, a crossbar at twice the rate of the links and deep queues, so that links are the
// bottleneck.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
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

EventSpec spec_of(const std::string& network, const std::string& routing, const std::string& pattern,
                  double load) {
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
warmup = "3000 ns"
duration = "5000 ns"
[[traffic.flow]]
load = {}
pattern = {}
)",
                                       network, routing, load, pattern);
  Mistakes mistakes;
  const EventSpec spec = std::get<EventSpec>(read_spec(parse_toml(text, "x"), mistakes).spec);
  mistakes.throw_if_any();
  return spec;
}

double accepted(const EventSpec& spec) { return run(Spec(spec)).metric("accepted_load"); }

const std::string kNextGroup = "\"next-group\"\nsize = 8", kUniform = "\"uniform\"";

test::LinkLoads loads_of(const EventSpec& spec) {
  Graph graph = spec.network.topology->build(spec.network.link);
  Routes routes = spec.routing.algorithm->build(graph);
  return {std::move(graph), std::move(routes)};
}
std::vector<test::Demand> worst_case(const EventSpec& spec) {
  return test::to_next_group(spec.network.topology->build({}), kNodesOfGroup);
}

TEST(ParallelLinks, CarryWhatTheRoutesPermitOfTheWorstCase) {
  for (const Fabric& fabric : fabrics()) {
    const double direct = std::min(1.0, 1.0 * fabric.links / kNodesOfGroup);
    for (const char* routing : {"algorithm = \"minimal\"", "algorithm = \"valiant\""}) {
      const EventSpec spec = spec_of(fabric.keys, routing, kNextGroup, 1);
      const double counted = loads_of(spec).of_counted_paths(worst_case(spec));
      if (std::string(routing) == "algorithm = \"minimal\"") {
        EXPECT_DOUBLE_EQ(counted, direct);
      }
      const double carried = accepted(spec);
      std::printf("%s%s: counted %.4f accepted %.4f\n", fabric.keys.c_str(), routing, counted, carried);
      EXPECT_NEAR(carried, counted, 0.03 * counted) << fabric.keys << routing;
    }
  }
}

// Packets that choose by load carry at least what the better of the two carries (Kim et al., ISCA 2008,
// section 4.2), and at most what the best division among all paths does.
TEST(ParallelLinks, CarryTheBetterOfDirectPathsAndDetoursIfPacketsChoose) {
  for (const Fabric& fabric : fabrics()) {
    double better = 0;
    for (const char* routing : {"algorithm = \"minimal\"", "algorithm = \"valiant\""}) {
      const EventSpec spec = spec_of(fabric.keys, routing, kNextGroup, 1);
      better = std::max(better, loads_of(spec).of_counted_paths(worst_case(spec)));
    }
    for (const char* routing :
         {"algorithm = \"ugal\"", "algorithm = \"ugal\"\nknowledge = \"global\"", "algorithm = \"par\""}) {
      const EventSpec spec = spec_of(fabric.keys, routing, kNextGroup, 1);
      const double best = loads_of(spec).best(worst_case(spec)), carried = accepted(spec);
      std::printf("%s%s: better %.4f best %.4f accepted %.4f\n", fabric.keys.c_str(), routing, better, best,
                  carried);
      EXPECT_GT(carried, 0.97 * better) << fabric.keys << routing;
      EXPECT_LT(carried, 1.02 * best) << fabric.keys << routing;
    }
  }
}

TEST(ParallelLinks, CarryWhatDfssspCarriesOfUniformTraffic) {
  for (const Fabric& fabric : fabrics()) {
    const double shared = accepted(spec_of(fabric.keys, "algorithm = \"dfsssp\"", kUniform, 1));
    for (const char* routing : {"minimal", "ugal", "par"}) {
      const double carried =
          accepted(spec_of(fabric.keys, fmt::format("algorithm = \"{}\"", routing), kUniform, 1));
      std::printf("%s%s: dfsssp %.4f accepted %.4f\n", fabric.keys.c_str(), routing, shared, carried);
      EXPECT_GT(carried, 0.98 * shared) << fabric.keys << routing;
    }
  }
}

// 8 nodes of two groups share 32 links between them, or 16 between their spines: no link is the bottleneck.
TEST(ParallelLinks, CarryTheWholeLoadBetweenTwoGroupsWithManyLinks) {
  for (const char* file : {"dragonfly-parallel", "dragonfly-plus-parallel"}) {
    const Experiment experiment =
        load_experiment(parse_toml(test::repository_file(fmt::format("tests/findings/{}.toml", file)), file));
    for (const Point& point : experiment.points) {
      const Result result = run(point.spec());
      EXPECT_NEAR(result.metric("accepted_load"), 0.9, 0.01)
          << file << ' ' << ", point " << &point - experiment.points.data();
    }
  }
}

}  // namespace
}  // namespace headway
