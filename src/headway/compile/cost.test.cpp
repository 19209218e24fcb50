// SPDX-License-Identifier: Apache-2.0
// Costs as the literature gives them: OBQA's Table 3 (Euro-Par 2010) and FBICM's section 3.3 (HiPC 2008).
#include "headway/compile/cost.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "headway/compile/plan/parts.h"
#include "headway/config/assign.h"
#include "headway/metrics/metric.h"

namespace headway {
namespace {

using Metrics = std::vector<std::pair<std::string, double>>;

EventSpec of_scheme(std::string_view scheme, Arguments parameters = {}) {
  EventSpec spec;
  spec.network.topology = choose(topologies(), "k-ary-n-tree", {{"k", 4}, {"n", 5}});
  spec.switches.scheme = choose(schemes(), scheme, parameters);
  return spec;
}

Metrics cost(const EventSpec& spec) {
  Graph graph = spec.network.topology->build(spec.network.link);
  apply(spec.network.faults, graph);
  const QueueMap map = with_virtual_channels(spec.switches, spec.switches.scheme->build(graph));
  return cost_of(spec, graph, map,
                 network_options(spec, graph, spec.routing.algorithm->build(graph), map, Duration{1}));
}

double value(const Metrics& metrics, std::string_view name) {
  return std::ranges::find(metrics, name, &Metrics::value_type::first)->second;
}

// All links between switches have half the rate of links of nodes.
EventSpec with_slow_links(EventSpec spec) {
  spec.network.faults.slow.part = 1;
  return spec;
}

TEST(Cost, HasEveryMetricInOrder) {
  EXPECT_TRUE(std::ranges::equal(cost(with_slow_links(of_scheme("obqa", {{"queues", 4}}))), cost_metrics(),
                                 {}, &Metrics::value_type::first, &Metric::name));
}

// The four ports up of a leaf switch are slower than its nodes. No other link is slower than one into its
// switch.
TEST(Cost, CountsThePlacesAtSlowOutputs) {
  const EventSpec spec = of_scheme("obqa", {{"queues", 4}});
  const Metrics plain = cost(spec), slow = cost(with_slow_links(spec));
  EXPECT_EQ(std::ranges::find(plain, "place_memory_bytes", &Metrics::value_type::first), plain.end());
  EXPECT_EQ(value(slow, "place_memory_bytes"), 256 * 4 * 64);
  EXPECT_EQ(value(slow, "network_memory_bytes"), value(plain, "network_memory_bytes") + 256 * 4 * 64);
  EXPECT_EQ(value(slow, "switch_memory_bytes"), value(plain, "switch_memory_bytes") + 4 * 64);

  EventSpec with_queues = with_slow_links(spec);
  with_queues.switches.architecture = Architecture::cioq;
  with_queues.switches.output_memory = Bytes{4096};
  EXPECT_EQ(value(cost(with_queues), "network_memory_bytes"), 5 * 256 * 8 * (4096 + 4096));
}

TEST(Cost, OfQueuesIsThatOfTheirMemory) {
  EventSpec spec = of_scheme("obqa", {{"queues", 4}});
  const Metrics plain = cost(spec);
  EXPECT_EQ(value(plain, "queues_per_port"), 4);
  EXPECT_EQ(value(plain, "cam_lines_per_port"), 0);
  EXPECT_EQ(value(plain, "lanes"), 1);
  EXPECT_EQ(value(plain, "packets_per_queue"), 4096 / 4 / 64);
  EXPECT_EQ(value(plain, "port_memory_bytes"), 4096);
  EXPECT_EQ(value(plain, "switch_memory_bytes"), 8 * 4096);
  EXPECT_EQ(value(plain, "network_memory_bytes"), 5 * 256 * 8 * 4096);
  EXPECT_EQ(value(plain, "minimum_memory_bytes"), 512);
  EXPECT_EQ(value(plain, "routing_table_bits"), 3 * 1024);  // one of 8 ports for each of 1024 nodes
  EXPECT_EQ(value(plain, "published_area_mm2"), 0.00647);

  spec.switches.queue_memory = Bytes{256};
  spec.switches.virtual_channels = 2;
  const Metrics with_channels = cost(spec);
  EXPECT_EQ(value(with_channels, "queues_per_port"), 8);
  EXPECT_EQ(value(with_channels, "port_memory_bytes"), 8 * 256);
}

TEST(Cost, OfIsolationHasACamAndWiderTables) {
  const Metrics fbicm = cost(of_scheme("fbicm", {{"cfqs", 8}}));
  EXPECT_EQ(value(fbicm, "queues_per_port"), 9);
  EXPECT_EQ(value(fbicm, "cam_lines_per_port"), 8);
  EXPECT_EQ(value(fbicm, "routing_table_bits"), 83 * 1024);
  EXPECT_EQ(std::ranges::find(fbicm, "published_area_mm2", &Metrics::value_type::first), fbicm.end());
}

TEST(Cost, CountsTheOverflowQueue) {
  EXPECT_EQ(value(cost(of_scheme("dbbm-unshared", {{"queues", 4}})), "queues_per_port"), 5);
}

}  // namespace
}  // namespace headway
