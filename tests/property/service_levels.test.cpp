// SPDX-License-Identifier: Apache-2.0
// Lanes by service levels can express queues by destination and the schemes of the InfiniBand literature.
// Such tables give the same deliveries as the built-in schemes with as many queues, for every kind of
// routing.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "headway/compile/build.h"
#include "headway/config/assign.h"
#include "headway/engine/simulation.h"

namespace headway {
namespace {

using Sides = std::vector<std::int64_t>;

struct Place {
  Choice<Topology> topology;
  Choice<Routing> routing;
};

std::vector<Place> places() {
  const Choice<Topology> tree = choose(topologies(), "k-ary-n-tree", {{"k", 3}, {"n", 2}});
  const Choice<Topology> torus = choose(topologies(), "torus", {{"sides", Sides{4, 3}}});
  const Choice<Topology> mesh = choose(topologies(), "mesh", {{"sides", Sides{3, 3}}});
  const Choice<Topology> dragonfly =
      choose(topologies(), "dragonfly", {{"p", 2}, {"a", 2}, {"h", 1}, {"g", 3}});
  return {
      {tree, choose(routings(), "det")},          {tree, choose(routings(), "adaptive")},
      {torus, choose(routings(), "dor")},         {torus, choose(routings(), "dor", {{"rings", "dateline"}})},
      {torus, choose(routings(), "ugal")},        {torus, choose(routings(), "adaptive")},
      {mesh, choose(routings(), "adaptive")},     {mesh, choose(routings(), "lash")},
      {dragonfly, choose(routings(), "minimal")}, {dragonfly, choose(routings(), "par")}};
}

EventSpec spec_at(const Place& place) {
  EventSpec spec;
  spec.seed = 3;
  spec.network.topology = place.topology;
  spec.routing.algorithm = place.routing;
  spec.routing.selection = choose(selections(), "rp");
  spec.switches.queue_memory = Bytes{128};
  spec.traffic.flows.front().load.points = {{Duration{0}, 0.8}};
  spec.measure.duration = Duration{20'000};
  return spec;
}

std::uint64_t hash_of(const EventSpec& spec) {
  const Model model = build(spec);
  const auto simulation = make_simulation(model.network, model.workload, {.seed = spec.seed});
  simulation->run_until(model.duration);
  return simulation->record().trace_hash;
}

template <class LevelOf>
InputFile table(std::uint32_t nodes, LevelOf&& level_of) {
  std::string text = "source destination service_level\n";
  for (NodeId source = 0; source < nodes; ++source)
    for (NodeId destination = 0; destination < nodes; ++destination)
      text += fmt::format("{} {} {}\n", source, destination, level_of(source, destination));
  return InputFile::in_memory("levels", "txt", text);
}

TEST(ServiceLevelRuns, LevelsByDestinationAreDbbm) {
  for (const Place& place : places()) {
    EventSpec of_scheme = spec_at(place), of_levels = of_scheme;
    of_scheme.switches.scheme = choose(schemes(), "dbbm", {{"queues", 3}});
    of_levels.switches.lanes = 3;
    of_levels.switches.service_levels = table(static_cast<std::uint32_t>(place.topology->nodes()),
                                              [](NodeId, NodeId destination) { return destination; });
    EXPECT_EQ(hash_of(of_scheme), hash_of(of_levels)) << place.topology.name << ' ' << place.routing.name;
  }
}

TEST(ServiceLevelRuns, LevelsBySourceAndDestinationAreVftree) {
  EventSpec of_scheme = spec_at(places().front()), of_levels = of_scheme;
  of_scheme.switches.scheme = choose(schemes(), "vftree", {{"queues", 3}});
  const Graph graph = of_scheme.network.topology->build({});
  const QueueMap map = of_scheme.switches.scheme->build(graph);
  of_levels.switches.lanes = 3;
  of_levels.switches.service_levels = table(graph.nodes(), [&](NodeId source, NodeId destination) {
    return map.at(graph.port(0, 0), 0, source, destination);
  });
  EXPECT_EQ(hash_of(of_scheme), hash_of(of_levels));
}

// If all pairs have the same level, L lanes of one queue equal a scheme whose packets use one of L queues.
TEST(ServiceLevelRuns, OneLevelOfSeveralIsOneQueue) {
  for (const Place& place : places()) {
    EventSpec one = spec_at(place), of_levels = one;
    of_levels.switches.lanes = 4;
    of_levels.traffic.flows.front().service_level = 2;
    EXPECT_EQ(hash_of(one), hash_of(of_levels)) << place.topology.name << ' ' << place.routing.name;
  }
}

// Traffic to a hot spot with a separate level fills its own lanes and does not block other traffic.
TEST(ServiceLevelRuns, FlowsOfTheirOwnLevelsDoNotBlockEachOther) {
  const auto delivered_beside_hot_spot = [](std::int64_t lanes) {
    EventSpec spec = spec_at(places().front());
    spec.routing.algorithm = choose(routings(), "random-up");
    spec.traffic.flows.resize(2, spec.traffic.flows.front());
    FlowSpec &hot = spec.traffic.flows[0], &others = spec.traffic.flows[1];
    hot.sources.kind = others.sources.kind = NodeSet::Kind::nodes;
    hot.sources.nodes = {3, 6};
    others.sources.nodes = {4, 5, 7, 8};
    hot.pattern = choose(patterns(), "hotspot", {{"destination", 0}});
    hot.load.points = {{Duration{0}, 1.0}};
    others.load.points = {{Duration{0}, 0.5}};
    hot.service_level = 1;
    spec.switches.lanes = lanes;
    const Model model = build(spec);
    const auto simulation = make_simulation(model.network, model.workload, {.seed = 1});
    simulation->run_until(model.duration);
    std::uint64_t bytes = 0;
    for (NodeId node = 1; node < model.network.nodes(); ++node) bytes += simulation->record().bytes_to[node];
    return bytes;
  };
  EXPECT_GT(delivered_beside_hot_spot(2), 1.2 * static_cast<double>(delivered_beside_hot_spot(1)));
}

}  // namespace
}  // namespace headway
