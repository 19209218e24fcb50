// SPDX-License-Identifier: Apache-2.0
// Every static scheme written as a queue table in a file gives the same deliveries as the built-in scheme.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <fstream>

#include "headway/config/assign.h"
#include "headway/engine/simulation.h"
#include "tests/support/hand_made.h"
#include "tests/support/npy_bytes.h"

namespace headway {
namespace {

struct StaticNetwork {
  Choice<Topology> topology;
  const char* routing;
};

std::vector<StaticNetwork> static_networks() {
  return {
      {choose(topologies(), "k-ary-n-tree", {{"k", 3}, {"n", 3}}), "det"},
      {choose(topologies(), "mesh", {{"sides", std::vector<std::int64_t>{4, 3}}, {"nodes_per_switch", 2}}),
       "dor"},
      {choose(topologies(), "dragonfly", {{"p", 2}, {"a", 2}, {"h", 1}, {"g", 3}}), "minimal"}};
}

std::vector<Choice<Scheme>> static_schemes() {
  return {choose(schemes(), "1q"),
          choose(schemes(), "voqsw"),
          choose(schemes(), "voqnet"),
          choose(schemes(), "dbbm", {{"queues", 3}, {"mapping", "modulo"}}),
          choose(schemes(), "dbbm", {{"queues", 3}, {"mapping", "block"}}),
          choose(schemes(), "dbbm", {{"queues", 4}, {"mapping", "set-associative"}}),
          choose(schemes(), "obqa", {{"queues", 3}})};
}

std::uint64_t hash_with(const StaticNetwork& where, const Choice<Scheme>& scheme) {
  NetworkOptions options;
  options.packet_bytes = 8;
  options.capacity = 3;
  const Network network = test::network_of(where.topology, where.routing, scheme, options);
  const Workload workload =
      test::slotted(test::first_nodes(network.nodes()), test::anywhere(network.nodes()), 8, 0.8);
  const auto simulation = make_simulation(network, workload, {.seed = 5});
  simulation->run_until(1500);
  return simulation->record().trace_hash;
}

// Two tables for a queue map: one with the map's own coordinate only, which is compiled like the built-in
// scheme, and one with more coordinates, which stays a table in the engine.
std::vector<std::string> tables_of(const Graph& graph, const QueueMap& map) {
  std::string alone, others;
  if (map.key == QueueKey::output) {
    alone = "output queue\n";
    others = "switch queue input output source\n";
    for (std::uint32_t output = 0; output < graph.max_radix(); ++output) {
      alone += fmt::format("{} {}\n", output, map.queue_of[output]);
      others += fmt::format("* {} * {} *\n", map.queue_of[output], output);
    }
  } else {
    alone = "destination queue\n";
    others = "destination switch source queue\n";
    for (NodeId node = 0; node < graph.nodes(); ++node) {
      const std::uint32_t queue = map.at(0, 0, 0, node);
      alone += fmt::format("{} {}\n", node, queue);
      for (SwitchId sw = 0; sw < graph.switches(); ++sw)
        others += fmt::format("{} {} * {}\n", node, sw, queue);
    }
  }
  return {alone, others};
}

TEST(QueueTables, GiveTheDeliveriesOfEveryStaticScheme) {
  const std::string path = testing::TempDir() + "queue_tables";
  int files = 0;
  for (const StaticNetwork& where : static_networks()) {
    const Graph graph = where.topology->build({});
    for (const Choice<Scheme>& scheme : static_schemes()) {
      const QueueMap map = scheme->build(graph);
      const std::uint64_t expected = hash_with(where, scheme);
      std::vector<QueueKey> keys;
      for (const std::string& table : tables_of(graph, map)) {
        const std::string file = fmt::format("{}-{}.txt", path, ++files);
        std::ofstream(file) << table;
        const Choice<Scheme> own =
            choose(schemes(), "table", {{"file", file}, {"queues", static_cast<std::int64_t>(map.queues)}});
        keys.push_back(own->build(graph).key);
        EXPECT_EQ(hash_with(where, own), expected) << where.topology.name << ", " << scheme.name << "\n"
                                                   << table;
      }
      EXPECT_NE(keys[0], QueueKey::table);
      EXPECT_EQ(keys[1], QueueKey::table);
    }
  }
}

TEST(QueueTables, GiveTheSameAsArrays) {
  const std::string file = testing::TempDir() + "queue_tables.npy";
  using Names = std::vector<std::string>;
  for (const StaticNetwork& where : static_networks()) {
    const Graph graph = where.topology->build({});
    for (const Choice<Scheme>& scheme : static_schemes()) {
      const QueueMap map = scheme->build(graph);
      std::string elements;
      for (NodeId source = 0; source < graph.nodes(); ++source)
        for (std::uint32_t output = 0; output < graph.max_radix(); ++output)
          for (NodeId node = 0; node < graph.nodes(); ++node)
            elements += test::little_endian(map.at(0, output, source, node), 4);
      std::ofstream(file, std::ios::binary) << test::npy(
          "'<u4'", fmt::format("({}, {}, {})", graph.nodes(), graph.max_radix(), graph.nodes()), elements);
      const Choice<Scheme> own = choose(schemes(), "table",
                                        {{"file", file},
                                         {"by", Names{"source", "output", "destination"}},
                                         {"queues", static_cast<std::int64_t>(map.queues)}});
      EXPECT_EQ(hash_with(where, own), hash_with(where, scheme))
          << where.topology.name << ", " << scheme.name;
    }
  }
}

}  // namespace
}  // namespace headway
