// SPDX-License-Identifier: Apache-2.0
// Dragonflies and dragonflies+ with 1, 2, 4 and 8 links between two groups carry what their routes permit, of
// the worst case, in which every group sends to the next one, and of uniform traffic. The switches have a queue
// per destination, a crossbar at twice the rate of the links and deep queues, so that links are the bottleneck.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "headway/compile/load.h"
#include "headway/config/toml.h"
#include "headway/routing/routing.h"
#include "headway/run/run.h"
#include "headway/spec/read_spec.h"
#include "headway/topology/distances.h"
#include "headway/topology/topology.h"
#include "tests/cli/repository.h"

namespace headway {
namespace {

struct Fabric {
  std::string keys;  // of [network]
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
constexpr double kNodesOfGroup = 8;

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

// The packets from a node to each of the others, and over the links of the routes.
class Carried {
 public:
  Carried(const EventSpec& spec, bool next_group)
      : graph_(spec.network.topology->build(spec.network.link)),
        routes_(spec.routing.algorithm->build(graph_)),
        price_(graph_.switch_ports(), 1),
        load_(graph_.switch_ports()) {
    const auto size = static_cast<NodeId>(kNodesOfGroup);
    const NodeId nodes = graph_.nodes();
    for (NodeId source = 0; source < nodes; ++source)
      for (NodeId node = 0; node < nodes; ++node)
        if (next_group ? node / size == (source / size + 1) % (nodes / size) : node != source)
          demands_.push_back({switch_from(graph_, source), node, next_group ? 1.0 / size : 1.0 / (nodes - 1)});
  }

  // The load of a node at which the busiest link is busy all the time, at most 1. Packets share the
  // candidates evenly and, with detours, go over all waypoints.
  double of_counted_paths() {
    for (const Demand& demand : demands_)
      for (const auto& [via, share] : waypoints_of(demand))
        spread(demand.from, via, demand.node, demand.amount * share);
    return at_most_one();
  }

  // The largest such load over all ways to divide the packets among their paths, and a bound: a linear
  // program. Its dual gives a bound for any prices of the links (Garg and Könemann, SIAM J. Computing 37(2),
  // 2007).
  std::pair<double, double> best_and_bound() {
    double best = 0, bound = std::numeric_limits<double>::infinity();
    std::vector<double> sum(load_.size());
    for (int round = 0; round < 400; ++round) {
      std::ranges::fill(load_, 0);
      cheapest_.clear();
      double cost = 0;
      for (const Demand& demand : demands_) {
        double least = cheapest(demand.from, kNone, demand.node);
        std::uint32_t by = kNone;
        if (routes_.detours)
          for (const std::uint32_t via : others(demand))
            if (const double price = cheapest(demand.from, via, demand.node); price < least)
              least = price, by = via;
        cost += demand.amount * least;
        take_cheapest(demand.from, by, demand.node, demand.amount);
      }
      double all = 0;
      for (PortId output = 0; output < load_.size(); ++output)
        if (is_between_switches(output)) all += price_[output];
      bound = std::min(bound, all / cost);
      const double step = round == 0 ? 1 : 1.0 / (round + 2);
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += step * (load_[i] - sum[i]);
      const double most = std::ranges::max(sum);
      best = std::max(best, 1 / most);
      for (std::size_t i = 0; i < sum.size(); ++i) price_[i] = std::exp((20 + round) * (sum[i] / most - 1));
    }
    return {std::min(best, 1.0), std::min(bound, 1.0)};
  }

 private:
  struct Demand {
    SwitchId from;
    NodeId node;
    double amount;
  };

  bool is_between_switches(PortId output) const {
    const PortId input = graph_.peer_of(output);
    return input != kNone && !graph_.is_node_port(input);
  }
  std::uint32_t part(SwitchId sw) const { return routes_.detours->waypoint_of[sw]; }
  std::vector<std::uint32_t> others(const Demand& demand) const {
    std::vector<std::uint32_t> result;
    const std::uint32_t from = part(demand.from), to = part(switch_to(graph_, demand.node));
    for (std::uint32_t via = 0; via < routes_.detours->waypoints; ++via)
      if (from != to && via != from && via != to) result.push_back(via);
    return result;
  }
  std::map<std::uint32_t, double> waypoints_of(const Demand& demand) const {
    if (!routes_.detours || others(demand).empty()) return {{kNone, 1.0}};
    std::map<std::uint32_t, double> result;
    for (const std::uint32_t via : others(demand)) result[via] = 1.0 / others(demand).size();
    return result;
  }

  // The outputs at a switch towards a waypoint or, with none, a node; none at its switch.
  std::vector<PortId> outputs(SwitchId sw, std::uint32_t via, NodeId node) const {
    std::vector<PortId> result;
    if (via == kNone && sw == switch_to(graph_, node)) return result;
    const RouteTable& table = via == kNone ? routes_.table : routes_.detours->to_waypoint;
    const std::uint32_t to = via == kNone ? node : via;
    const PortRange range = table.at(sw, to);
    for (std::uint32_t i = 0; i < range.count; ++i)
      result.push_back(graph_.port(sw, table.port(sw, to, range, i)));
    return result;
  }
  SwitchId behind(PortId output) const { return graph_.switch_of(graph_.peer_of(output)); }
  std::uint32_t left(std::uint32_t via, SwitchId sw) const {
    return via != kNone && part(sw) == via ? kNone : via;
  }

  void spread(SwitchId sw, std::uint32_t via, NodeId node, double amount) {
    const std::vector<PortId> ports = outputs(sw, via, node);
    for (const PortId output : ports) {
      load_[output] += amount / ports.size();
      spread(behind(output), left(via, behind(output)), node, amount / ports.size());
    }
  }

  double cheapest(SwitchId sw, std::uint32_t via, NodeId node) {
    const auto key = std::tuple{sw, via, node};
    if (const auto known = cheapest_.find(key); known != cheapest_.end()) return known->second.first;
    std::pair<double, PortId> least = {0, kNone};
    for (const PortId output : outputs(sw, via, node)) {
      const double price = price_[output] + cheapest(behind(output), left(via, behind(output)), node);
      if (least.second == kNone || price < least.first) least = {price, output};
    }
    cheapest_[key] = least;
    return least.first;
  }
  void take_cheapest(SwitchId sw, std::uint32_t via, NodeId node, double amount) {
    for (;;) {
      cheapest(sw, via, node);
      const PortId output = cheapest_.at({sw, via, node}).second;
      if (output == kNone) return;
      load_[output] += amount;
      sw = behind(output);
      via = left(via, sw);
    }
  }
  double at_most_one() const { return 1 / std::max(1.0, std::ranges::max(load_)); }

  Graph graph_;
  Routes routes_;
  std::vector<Demand> demands_;
  std::vector<double> price_, load_;  // [output]
  std::map<std::tuple<SwitchId, std::uint32_t, NodeId>, std::pair<double, PortId>> cheapest_;
};

TEST(ParallelLinks, CarryWhatTheRoutesPermitOfTheWorstCase) {
  for (const Fabric& fabric : fabrics()) {
    const double direct = std::min(1.0, fabric.links / kNodesOfGroup);
    for (const char* routing : {"algorithm = \"minimal\"", "algorithm = \"valiant\""}) {
      const EventSpec spec = spec_of(fabric.keys, routing, kNextGroup, 1);
      const double counted = Carried(spec, true).of_counted_paths();
      if (std::string(routing).find("minimal") != std::string::npos) EXPECT_DOUBLE_EQ(counted, direct);
      const double carried = accepted(spec);
      std::printf("%s%s: counted %.4f accepted %.4f\n", fabric.keys.c_str(), routing, counted, carried);
      EXPECT_NEAR(carried, counted, 0.03 * counted) << fabric.keys << routing;
    }
    for (const char* routing : {"algorithm = \"ugal\"", "algorithm = \"ugal\"\nknowledge = \"global\"",
                                "algorithm = \"par\""}) {
      const EventSpec spec = spec_of(fabric.keys, routing, kNextGroup, 1);
      const auto [best, bound] = Carried(spec, true).best_and_bound();
      const double carried = accepted(spec);
      std::printf("%s%s: best %.4f bound %.4f accepted %.4f\n", fabric.keys.c_str(), routing, best, bound,
                  carried);
      EXPECT_GT(carried, 0.97 * best) << fabric.keys << routing;
      EXPECT_LT(carried, 1.005 * bound) << fabric.keys << routing;
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
      EXPECT_NEAR(result.metric("accepted_load"), 0.9, 0.01) << file << ' ' << ", point " << &point - experiment.points.data();
    }
  }
}

}  // namespace
}  // namespace headway
