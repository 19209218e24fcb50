// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/window.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "headway/config/assign.h"
#include "headway/run/run.h"
#include "tests/support/columns.h"

namespace headway {
namespace {

// Packets of 64 bytes, which take 64 ns over links with a delay of 4 ns, in a tree of eight nodes.
EventSpec tree_of_eight() {
  EventSpec spec;
  spec.network.topology = choose(topologies(), "k-ary-n-tree", {{"k", 2}, {"n", 3}});
  spec.network.link = {Rate{1}, Duration{4}};
  spec.traffic.packet = Bytes{64};
  spec.traffic.flows.clear();
  spec.measure.warmup = Duration{10'000};
  spec.measure.duration = Duration{50'000};
  return spec;
}

FlowSpec flow(NodeId from, NodeId to, double load) {
  FlowSpec flow;
  flow.sources = {NodeSet::Kind::nodes, 1.0, 0, {from}};
  flow.pattern = choose(patterns(), "hotspot", {{"destination", std::int64_t{to}}});
  flow.arrivals = choose(arrival_processes(), "periodic");
  flow.load.points = {{Duration{0}, load}};
  return flow;
}

// The latency over `links` links and `links` - 1 switches of an empty network.
double empty_network(const EventSpec& spec, int links) {
  return 64 + 4.0 * links + spec.switches.routing_delay.ns.to_double() * (links - 1);
}

TEST(Window, EveryDestinationHasTheLatencyOfItsPackets) {
  EventSpec spec = tree_of_eight();
  spec.switches.routing_delay = Duration{7};
  spec.traffic.flows = {flow(0, 1, 0.1), flow(7, 0, 0.1)};
  spec.measure.tables = {"per-destination"};
  const Result result = run(Spec(spec));
  const Table& table = result.table("per_destination");
  const std::vector<double>&mean = test::column(table, "latency_mean_ns"),
        &network = test::column(table, "network_latency_mean_ns"),
        &packets = test::column(table, "packets_delivered");
  EXPECT_DOUBLE_EQ(mean[1], empty_network(spec, 2));
  EXPECT_DOUBLE_EQ(mean[0], empty_network(spec, 6));
  EXPECT_DOUBLE_EQ(network[0], mean[0]);
  EXPECT_TRUE(std::isnan(mean[2]));
  EXPECT_EQ(packets[2], 0);
  EXPECT_NEAR(packets[0], 0.1 * 50'000 / 64, 2);
}

// With packets that wait, and with packets in the network when the window begins.
TEST(Window, TheLatenciesOfDestinationsAddUpToThatOfTheRun) {
  EventSpec spec = tree_of_eight();
  spec.traffic.flows = {FlowSpec{}};
  spec.traffic.flows[0].load.points = {{Duration{0}, 0.7}};
  spec.measure.tables = {"fairness"};
  const Result result = run(Spec(spec));
  const Table& table = result.table("per_destination");
  const std::vector<double>& packets = test::column(table, "packets_delivered");
  for (const char* name : {"latency_mean_ns", "network_latency_mean_ns"}) {
    double sum = 0, count = 0;
    for (std::size_t node = 0; node < packets.size(); ++node) {
      sum += packets[node] * test::column(table, name)[node];
      count += packets[node];
    }
    EXPECT_DOUBLE_EQ(sum / count, result.metric(name)) << name;
    EXPECT_EQ(count, result.metric("packets_delivered"));
  }
}

TEST(Window, ThereIsNoTableOfDestinationsUnlessItIsAskedFor) {
  EventSpec spec = tree_of_eight();
  spec.traffic.flows = {flow(0, 1, 0.1)};
  EXPECT_TRUE(run(Spec(spec)).table("per_destination").empty());
}

// A transfer that begins before the end of the window is in progress at its end; the window has only a part
// of it. The link is always busy, so every window has a utilisation of 1.
TEST(Window, ALinkIsBusyForAtMostAllOfTheTime) {
  for (const Architecture architecture : {Architecture::iq, Architecture::cioq})
    for (const std::int64_t duration : {50'000, 12'345, 777}) {
      EventSpec spec = tree_of_eight();
      spec.switches.architecture = architecture;
      spec.traffic.packet = Bytes{512};
      spec.traffic.flows = {flow(0, 1, 1.0)};
      spec.traffic.flows[0].sizes = choose(message_sizes(), "fixed", {{"message", Bytes{512}}});
      spec.measure.duration = Duration{duration};
      spec.measure.tables = {"per-link"};
      const Result result = run(Spec(spec));
      const std::vector<double>& busy = test::column(result.table("per_link"), "utilisation");
      EXPECT_DOUBLE_EQ(*std::ranges::max_element(busy), 1)
          << static_cast<int>(architecture) << ", " << duration;
      EXPECT_EQ(std::ranges::count(busy, 0), static_cast<std::ptrdiff_t>(busy.size()) - 2);
    }
}

}  // namespace
}  // namespace headway
