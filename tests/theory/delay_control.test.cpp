// SPDX-License-Identifier: Apache-2.0
// Congestion control by delay and by windows where the result is known: the fixed point of patched TIMELY
// (Zhu et al., "ECN or Delay", CoNEXT 2016, section 4.3), and the throughput and the queue of windows.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "headway/compile/build.h"
#include "headway/config/toml.h"
#include "headway/engine/simulation.h"
#include "headway/run/run.h"
#include "headway/spec/read_spec.h"

namespace headway {
namespace {

EventSpec spec_of(const std::string& text) {
  Mistakes mistakes;
  EventSpec spec = std::get<EventSpec>(read_spec(parse_toml(text, "x"), mistakes).spec);
  mistakes.throw_if_any();
  return spec;
}

std::string saturated_flow(std::string_view sources, int destination, const std::string& when) {
  return fmt::format(R"(
[[traffic.flow]]
sources = {{ {} }}
pattern = "hotspot"
destination = {}
arrivals = "saturated"
backlog = 2
{}
)",
                     sources, destination, when);
}

// Nodes send all they may over one switch to node N at 10 Gb/s. With `start_ms`, node 0 and one more node
// begin, and the latter stops when the other N - 1 nodes start. Marks do nothing here; the switch counts the
// bytes that wait because of them.
std::string incast(int flows, std::string_view node, int start_ms = 0) {
  std::string traffic = saturated_flow(fmt::format("first = {}", flows), flows, "");
  if (start_ms > 0) {
    std::vector<int> others(static_cast<std::size_t>(flows - 1));
    std::iota(others.begin(), others.end(), 1);
    traffic = saturated_flow("nodes = [0]", flows, "") +
              saturated_flow(fmt::format("nodes = [{}]", flows + 1), flows,
                             fmt::format("stop = \"{} ms\"", start_ms)) +
              saturated_flow(fmt::format("nodes = [{}]", fmt::join(others, ", ")), flows,
                             fmt::format("start = \"{} ms\"", start_ms));
  }
  return fmt::format(R"(
[network]
topology = "single-switch"
nodes = {}
link = {{ rate = "1.25 GB/s", delay = "100 ns" }}
[switch]
scheme = "voqsw"
queue_memory = "4 MB"
marking = "red"
k_min = "1 GB"
k_max = "2 GB"
[node]
{}
[traffic]
packet = "1 kB"
{}
[measure]
warmup = "1 ms"
duration = "{} ms"
)",
                     flows + 2, node, traffic, start_ms > 0 ? 500 : 1);
}

struct Bottleneck {
  double queue = 0;           // mean bytes for the bottleneck
  std::vector<double> rates;  // [flow] mean, as a fraction of the link's
};

Bottleneck watch(Simulation& simulation, const Network& network, int flows, double from_ns, double to_ns) {
  const double tick_ns = network.tick.ns.to_double();
  Bottleneck seen;
  seen.rates.resize(static_cast<std::size_t>(flows));
  double samples = 0;
  for (double now = from_ns; now < to_ns; now += 20'000) {
    simulation.run_until(static_cast<Tick>(now / tick_ns));
    ++samples;
    const auto sink = static_cast<NodeId>(flows);
    seen.queue += static_cast<double>(simulation.view().bytes_waiting(static_cast<PortId>(flows)));
    for (NodeId f = 0; f < sink; ++f) seen.rates[f] += simulation.view().rate(f, sink);
  }
  seen.queue /= samples;
  for (double& rate : seen.rates) rate /= samples;
  return seen;
}

constexpr double kBytesPerNs = 1.25, kLowNs = 50'000, kIncrease = 0.001, kDecrease = 0.008;
constexpr std::string_view kTimely =
    "reaction = \"timely\"\nnotification_delay = \"1 us\"\ninjection_memory = \"32 kB\"";

// The theorem on patched TIMELY's fixed point: at zero gradient both weights are 1/2, so that the increase
// delta equals the decrease beta R (RTT - t_low) / t_low at R = C / N. Hence RTT = t_low (1 + N delta / (beta
// C)), and q = C RTT. The paper's q leaves out the time on links. Here RTT includes it: links of 100 ns, a
// packet of 800 ns that is on two of them, and the notification. The queue does not contain these bytes.
TEST(Timely, RatesAreEqualAndTheQueueIsThatOfTheFixedPoint) {
  constexpr double kOnLinksNs = 2 * 100 + 800 + 1000;
  for (const int flows : {2, 4, 8}) {
    const Model model = build(spec_of(incast(flows, kTimely, 60)));
    const auto simulation = make_simulation(model.network, model.workload, {.seed = 1});
    const Bottleneck seen = watch(*simulation, model.network, flows, 350e6, 450e6);
    const double round_trip = kLowNs * (1 + flows * kIncrease / kDecrease);
    EXPECT_NEAR(seen.queue / ((round_trip - kOnLinksNs) * kBytesPerNs), 1, 0.01) << flows;
    EXPECT_THAT(seen.rates, testing::Each(testing::DoubleNear(1.0 / flows, 0.01 / flows))) << flows;
  }
}

double accepted(int flows, std::string_view node) {
  const Result result = run(spec_of(incast(flows, node)));
  for (const auto& [name, value] : result.metrics)
    if (name == "accepted_load") return value;
  return 0;
}

// A packet of 1000 B takes 800 ns, 1000 ns over two links, and is acknowledged 3000 ns later: 4000 ns, or
// five packets.
TEST(CongestionWindows, OneFlowGetsItsWindowOverItsRoundTrip) {
  for (const int packets : {1, 2, 3, 4, 5, 6, 20}) {
    const std::string node = fmt::format(
        "reaction = \"window\"\nwindow = \"{} kB\"\nnotification_delay = \"3 us\"\ninjection_memory = \"4 "
        "kB\"",
        packets);
    EXPECT_DOUBLE_EQ(accepted(1, node), std::min(1.0, packets / 5.0)) << packets;
  }
}

// Without a key, a window is one round trip, so that a flow alone is not held back.
TEST(CongestionWindows, TheDefaultIsJustEnoughForOneFlow) {
  const std::string_view node = "reaction = \"window\"\ninjection_memory = \"4 kB\"";
  EXPECT_DOUBLE_EQ(accepted(1, node), 1);
  const Model model = build(spec_of(incast(1, node)));
  const Tick packet = 1000 * model.network.ports[model.network.adapter_port(0)].ticks_per_byte;
  EXPECT_EQ(
      std::get<CongestionWindow>(model.network.reaction->own).bytes,
      1000 * static_cast<std::uint64_t>(
                 (packet + 2 * 100 * packet / 800 + model.network.reaction->notification_delay - 1) / packet +
                 1));
}

// What N windows hold beyond the links and the notifications on their way waits in the switch: N W - C RTT.
// A window of 10 packets and five packets in the empty round trip: 10 N - 5 packets wait or are in the input
// of the link, which is one of the five.
TEST(CongestionWindows, TheQueueIsTheSumOfTheWindowsWithoutTheRoundTrip) {
  for (const int flows : {2, 4, 8}) {
    const std::string_view node =
        "reaction = \"window\"\nwindow = \"10 kB\"\nnotification_delay = \"3 us\"\ninjection_memory = \"40 "
        "kB\"";
    const Model model = build(spec_of(incast(flows, node)));
    const auto simulation = make_simulation(model.network, model.workload, {.seed = 1});
    const Bottleneck seen = watch(*simulation, model.network, flows, 1e6, 20e6);
    EXPECT_NEAR(seen.queue, flows * 10'000 - 5'000, 500) << flows;
    EXPECT_DOUBLE_EQ(accepted(flows, node), 1.0 / flows) << flows;
  }
}

}  // namespace
}  // namespace headway
