// SPDX-License-Identifier: Apache-2.0
// Verdicts of every routing on both sides of 512 nodes: at 0.7 of the load that a network accepts when it is
// overloaded, no run is saturated, whatever the routes. The traffic loads all nodes of a group or line alike,
// so that no link is overloaded before the others.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "headway/compile/load.h"
#include "headway/config/toml.h"
#include "headway/run/run.h"

namespace headway {
namespace {

struct RoutedNetwork {
  const char* name;
  std::string network;  // of the spec
  std::string pattern;
  std::vector<const char*> routings;
};

void PrintTo(const RoutedNetwork& network, std::ostream* out) { *out << network.name; }

class RoutedVerdicts : public testing::TestWithParam<RoutedNetwork> {};

EventSpec routed_spec(const RoutedNetwork& network, const std::string& routing, double load) {
  std::string more;
  if (routing == "adaptive") more = "selection = \"mc\"\n";
  if (routing == "dor" && network.network.find("torus") != std::string::npos) more = "rings = \"dateline\"\n";
  const std::string text = fmt::format(
      "seed = 7\n[network]\n{}link = {{ rate = \"1 GB/s\", delay = \"4 ns\" }}\n"
      "[routing]\nalgorithm = \"{}\"\n{}[switch]\ninput_memory = \"8 KiB\"\n[traffic]\npacket = \"64 B\"\n"
      "[[traffic.flow]]\n{}load = {}\n[measure]\nwarmup = \"4 us\"\nduration = \"4 us\"\n",
      network.network, routing, more, network.pattern, load);
  return std::get<EventSpec>(load_experiment(parse_toml(text, "x.toml")).points.front().spec());
}

TEST_P(RoutedVerdicts, FollowTheRoutesThatPacketsTake) {
  for (const char* routing : GetParam().routings) {
    const Result overloaded = run(routed_spec(GetParam(), routing, 1));
    EXPECT_EQ(overloaded.status, Status::saturated) << routing;
    const double load = 0.7 * overloaded.metric("accepted_load");
    const Result result = run(routed_spec(GetParam(), routing, load));
    EXPECT_NE(result.status, Status::saturated) << routing << " at " << load << ": " << result.detail;
  }
}

const std::vector<const char*> kGridRoutings = {"dor", "valiant", "ugal", "adaptive"};
const RoutedNetwork kRoutedNetworks[] = {
    {"dragonfly_342",
     "topology = \"dragonfly\"\np = 3\na = 6\nh = 3\n",
     "pattern = \"next-group\"\nsize = 18\n",
     {"minimal", "valiant", "ugal", "par"}},
    {"dragonfly_600",
     "topology = \"dragonfly\"\np = 4\na = 6\nh = 4\n",
     "pattern = \"next-group\"\nsize = 24\n",
     {"minimal", "valiant", "ugal", "par"}},
    {"slim_fly_500",
     "topology = \"slim-fly\"\nq = 5\nnodes_per_switch = 10\n",
     "pattern = \"next-group\"\nsize = 10\n",
     {"valiant", "ugal"}},
    {"slim_fly_550",
     "topology = \"slim-fly\"\nq = 5\nnodes_per_switch = 11\n",
     "pattern = \"next-group\"\nsize = 11\n",
     {"valiant", "ugal"}},
    {"hyperx_512", "topology = \"hyperx\"\nsides = [8, 8]\nnodes_per_switch = 8\n",
     "pattern = \"next-group\"\nsize = 8\n", kGridRoutings},
    {"hyperx_576", "topology = \"hyperx\"\nsides = [8, 8]\nnodes_per_switch = 9\n",
     "pattern = \"next-group\"\nsize = 9\n", kGridRoutings},
    {"mesh_484", "topology = \"mesh\"\nsides = [22, 22]\n", "pattern = \"tornado\"\nradix = 22\n",
     kGridRoutings},
    {"mesh_529", "topology = \"mesh\"\nsides = [23, 23]\n", "pattern = \"tornado\"\nradix = 23\n",
     kGridRoutings},
    {"torus_484", "topology = \"torus\"\nsides = [22, 22]\n", "pattern = \"tornado\"\nradix = 22\n",
     kGridRoutings},
    {"torus_529", "topology = \"torus\"\nsides = [23, 23]\n", "pattern = \"tornado\"\nradix = 23\n",
     kGridRoutings},
    {"tree_512",
     "topology = \"k-ary-n-tree\"\nk = 8\nn = 3\n",
     "pattern = \"permutation\"\n",
     {"random-up", "adaptive"}},
    {"tree_529",
     "topology = \"k-ary-n-tree\"\nk = 23\nn = 2\n",
     "pattern = \"permutation\"\n",
     {"random-up", "adaptive"}},
};

INSTANTIATE_TEST_SUITE_P(Networks, RoutedVerdicts, testing::ValuesIn(kRoutedNetworks),
                         [](const testing::TestParamInfo<RoutedNetwork>& network) -> std::string {
                           return network.param.name;
                         });

}  // namespace
}  // namespace headway
