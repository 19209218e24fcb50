// SPDX-License-Identifier: Apache-2.0
// Bottlenecks against simulations: no network accepts more than they let through.
#include "headway/analysis/bottleneck.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "headway/compile/build.h"
#include "headway/compile/load.h"
#include "headway/config/toml.h"
#include "headway/run/run.h"

namespace headway {
namespace {

EventSpec full_load(const std::string& network, const std::string& routing, const std::string& pattern) {
  const std::string text = fmt::format(
      "[network]\n{}\n[routing]\nalgorithm = \"{}\"\n{}[[traffic.flow]]\npattern = {}\nload = 1.0\n"
      "[measure]\nwarmup = \"20 us\"\nduration = \"20 us\"\n",
      network, routing, routing == "adaptive" ? "selection = \"mc\"\n" : "", pattern);
  return std::get<EventSpec>(load_experiment(parse_toml(text, "x.toml")).points.front().spec());
}

Bottleneck bottleneck_at(const Model& model, double part_of_load) {
  std::vector<double> rates = mean_rates(model.workload, 0, model.duration);
  for (double& rate : rates) rate *= part_of_load;
  return model.bottlenecks->of(model.network, model.workload, rates);
}

TEST(Bottleneck, SaysByHowMuchTheDemandIsTooLarge) {
  const auto text = [](double load) { return Bottleneck{load, "the demand", "its capacity"}.text(); };
  EXPECT_EQ(text(2.4), "the demand is 2.4 times its capacity");
  EXPECT_EQ(text(1.001), "the demand is 1.001 times its capacity");
  EXPECT_EQ(text(1.000'04), "the demand is 0.004 % more than its capacity");
}

struct BoundedCase {
  std::string network, pattern;
  std::vector<const char*> routings;
  double most;  // accepted load, in theory, of the best of these routings
};

// In these cases all traffic crosses a bottleneck, so the accepted load is at most its capacity over its
// demand.
TEST(Bottleneck, IsABoundOfWhatIsAccepted) {
  const BoundedCase cases[] = {
      {"topology = \"dragonfly\"\np = 4\na = 4\nh = 2",
       "\"next-group\"\nsize = 16",
       {"minimal", "valiant", "ugal", "par"},
       0.5},
      {"topology = \"hyperx\"\nsides = [6]\nnodes_per_switch = 6",
       "\"next-group\"\nsize = 6",
       {"dor", "valiant", "ugal", "adaptive"},
       5.0 / 6},
      {"topology = \"mesh\"\nsides = [6, 4]",
       "\"complement\"",
       {"dor", "valiant", "ugal", "adaptive"},
       1.0 / 3},
      {"topology = \"torus\"\nsides = [8]", "\"tornado\"", {"dor", "valiant", "ugal", "adaptive"}, 2.0 / 3},
      {"topology = \"pgft\"\nchildren = [4, 4]\nparents = [1, 2]\nlinks = [1, 1]",
       "\"next-group\"\nsize = 4",
       {"det", "random-up", "adaptive"},
       0.5},
  };
  for (const auto& [network, pattern, routings, most] : cases)
    for (const char* routing : routings) {
      SCOPED_TRACE(network + ", " + routing);
      const EventSpec spec = full_load(network, routing, pattern);
      const Model model = build(spec);
      const Bottleneck full = bottleneck_at(model, 1);
      EXPECT_GE(1 / full.load, 0.06);
      EXPECT_LE(1 / full.load, most + 1e-9) << full.text();
      EXPECT_LE(run(spec).metric("accepted_load"), 1.01 / full.load) << full.text();
      // it is proportional to the load, and the same whichever load is asked for first
      EXPECT_DOUBLE_EQ(bottleneck_at(model, 0.3).load, 0.3 * full.load);
      EXPECT_DOUBLE_EQ(bottleneck_at(build(spec), 0.3).load, 0.3 * full.load);
      EXPECT_EQ(bottleneck_at(model, 0.3).demand, full.demand);
    }
}

TEST(Bottleneck, OfNoTrafficIsNothing) {
  const Model model = build(full_load("topology = \"single-switch\"\nnodes = 4", "det", "\"uniform\""));
  const Bottleneck none = bottleneck_at(model, 0);
  EXPECT_EQ(none.load, 0);
  EXPECT_TRUE(none.demand.empty());
}

TEST(Bottleneck, KnowsTheDemandOfEveryLink) {
  const EventSpec spec = full_load("topology = \"k-ary-n-tree\"\nk = 2\nn = 2", "det", "\"complement\"");
  const Model model = build(spec);
  std::vector<double> rates = mean_rates(model.workload, 0, model.duration);
  for (double& rate : rates) rate *= 0.5;
  const std::vector<double> demand = model.bottlenecks->links_of(model.network, model.workload, rates);
  // every packet crosses the link of its source, one up, one down and the link of its destination, and they
  // are spread evenly
  const Graph& graph = model.network.graph;
  ASSERT_EQ(demand.size(), graph.ports());
  for (PortId port = 0; port < graph.ports(); ++port)
    if (graph.peer_of(port) != kNone) EXPECT_NEAR(demand[port], 0.5, 1e-9) << port;
}

TEST(Bottleneck, DoesNotKnowTheDemandOfLinksThatPacketsChoose) {
  const EventSpec spec = full_load("topology = \"k-ary-n-tree\"\nk = 2\nn = 2", "adaptive", "\"uniform\"");
  const Model model = build(spec);
  const std::vector<double> demand = model.bottlenecks->links_of(
      model.network, model.workload, mean_rates(model.workload, 0, model.duration));
  const Graph& graph = model.network.graph;
  for (PortId port = 0; port < graph.ports(); ++port)
    if (graph.peer_of(port) != kNone) {
      const bool of_node = graph.is_node_port(port) || graph.is_node_port(graph.peer_of(port));
      EXPECT_EQ(std::isnan(demand[port]), !of_node) << port;
    }
}

}  // namespace
}  // namespace headway
