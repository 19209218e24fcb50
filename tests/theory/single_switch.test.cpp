// SPDX-License-Identifier: Apache-2.0
// One switch against queueing theory. All links have the same rate and delay and all packets the same length.
// If sources are saturated or send in slots, every transfer begins on the same tick modulo the packet length,
// so the engine simulates the slotted switch of the literature.
//
// Input FIFOs under saturation (Karol, Hluchyj and Morgan, IEEE Trans. Comm. 35(12), 1987, table I):
// the state is the number of heads for each output. The winner of a contention does not affect the state
// because all new heads have the same distribution, so every arbiter must give the same numbers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "headway/config/assign.h"
#include "headway/engine/simulation.h"
#include "tests/support/anchor.h"
#include "tests/support/hand_made.h"

namespace headway {
namespace {

constexpr std::uint32_t kEightBytes = 8;
constexpr Tick kDelay = 4;
constexpr ArbiterKind kArbiters[] = {ArbiterKind::round_robin, ArbiterKind::oldest_first,
                                     ArbiterKind::random};

Network one_switch(std::uint32_t nodes, std::string_view scheme, const NetworkOptions& options) {
  return test::network_of(choose(topologies(), "single-switch", {{"nodes", nodes}}), "det",
                          choose(schemes(), scheme), options);
}

NetworkOptions options_with(ArbiterKind arbiter, Admittance admittance, std::uint32_t capacity) {
  NetworkOptions options;
  options.arbiter = arbiter;
  options.admittance = admittance;
  options.packet_bytes = kEightBytes;
  options.capacity = capacity;
  return options;
}

struct Measured {
  double accepted_load = 0;  // fraction of a link, mean over nodes
  double mean_latency = 0;   // ticks
};

Measured measure(const Network& network, const Workload& workload, std::uint64_t seed, Tick slots) {
  const auto simulation = make_simulation(network, workload, {.seed = seed});
  simulation->run_until(200 * kEightBytes);
  const Counters before = simulation->record().counters;
  simulation->run_until((200 + slots) * kEightBytes);
  const Counters& after = simulation->record().counters;
  const auto packets = static_cast<double>(after.packets_delivered - before.packets_delivered);
  return {packets / static_cast<double>(slots) / network.nodes(),
          static_cast<double>(after.latency_ticks - before.latency_ticks) / packets};
}

double saturated_load(std::uint32_t nodes, std::string_view scheme, ArbiterKind arbiter,
                      Admittance admittance, Tick slots) {
  const Network network = one_switch(nodes, scheme, options_with(arbiter, admittance, 4));
  return measure(network, test::saturated(test::first_nodes(nodes), test::anywhere(nodes), kEightBytes),
                 nodes, slots)
      .accepted_load;
}

TEST(SingleSwitch, InputFifosSaturateAtKarolsValues) {
  const struct {
    std::uint32_t nodes;
    double load;
    double tolerance;
  } expected[] = {
      {1, 1.0, 1e-3}, {2, 0.75, 0.004}, {4, 0.6553, 0.003}, {8, 0.6184, 0.003}, {16, 0.600, 0.003}};
  for (const auto& e : expected)
    for (const ArbiterKind arbiter : kArbiters) {
      const double load = saturated_load(e.nodes, "1q", arbiter, Admittance::fifo, 160'000 / e.nodes);
      if (arbiter == ArbiterKind::round_robin)
        test::expect_anchor({"queueing", fmt::format("saturation of input FIFOs, {} ports", e.nodes),
                             "Karol, Hluchyj and Morgan 1987, table I", e.load, e.tolerance},
                            load);
      EXPECT_NEAR(load, e.load, e.tolerance) << e.nodes << " nodes, arbiter " << static_cast<int>(arbiter);
    }
}

TEST(SingleSwitch, QueuesPerDestinationRemoveTheBlocking) {
  for (const std::uint32_t nodes : {4U, 8U, 16U, 32U})
    for (const ArbiterKind arbiter : kArbiters) {
      const double load = saturated_load(nodes, "voqnet", arbiter, Admittance::per_destination, 2000);
      EXPECT_GT(load, 0.98) << nodes << " nodes, arbiter " << static_cast<int>(arbiter);
      EXPECT_LE(load, 1.001);
    }
}

// All nodes send to one destination. Every scheme and arbiter is equivalent to a queue at the output, where
// with binomial arrivals of load p a packet waits (N-1)/N p / (2 (1-p)) slots (Karol et al., eq. 6).
TEST(SingleSwitch, OneDestinationIsAnOutputQueue) {
  const std::uint32_t nodes = 8;
  for (const double load : {0.3, 0.6, 0.8}) {
    const double slots_waited = (nodes - 1.0) / nodes * load / (2 * (1 - load));
    const double expected = kEightBytes + 2 * kDelay + slots_waited * kEightBytes;
    for (const Entry<Scheme>& scheme : schemes())
      for (const ArbiterKind arbiter : kArbiters) {
        const Network network =
            one_switch(nodes, scheme.name, options_with(arbiter, Admittance::per_destination, 500));
        const Workload workload =
            test::slotted(test::first_nodes(nodes), test::always(3), kEightBytes, load / nodes);
        const double latency = measure(network, workload, 7, 60'000).mean_latency;
        EXPECT_NEAR(latency, expected, 0.025 * expected)
            << scheme.name << " at " << load << ", arbiter " << static_cast<int>(arbiter);
        if (scheme.name == "1q" && arbiter == ArbiterKind::round_robin)
          test::expect_anchor(
              {"queueing", fmt::format("mean latency of an output queue at load {}, 8 ports, ticks", load),
               "Karol, Hluchyj and Morgan 1987, equation 6", expected, 0.025 * expected},
              latency);
      }
  }
}

// An output-queued switch is one such queue for each output, whatever goes to the others.
TEST(SingleSwitch, OutputQueuesWaitAsTheoryHasIt) {
  for (const std::uint32_t nodes : {2U, 8U, 16U})
    for (const double load : {0.5, 0.8}) {
      NetworkOptions options = options_with(ArbiterKind::oldest_first, Admittance::per_destination, 500);
      options.output_queued = true;
      const Network network = one_switch(nodes, "voqsw", options);
      const Workload workload =
          test::slotted(test::first_nodes(nodes), test::anywhere(nodes), kEightBytes, load);
      const double expected =
          kEightBytes + 2 * kDelay + (nodes - 1.0) / nodes * load / (2 * (1 - load)) * kEightBytes;
      const double latency = measure(network, workload, 7, 240'000 / nodes).mean_latency;
      EXPECT_NEAR(latency, expected, 0.025 * expected) << nodes << " nodes, load " << load;
      test::expect_anchor(
          {"queueing",
           fmt::format("mean latency of an output-queued switch at load {}, {} ports, ticks", load, nodes),
           "Karol, Hluchyj and Morgan 1987, equation 6", expected, 0.025 * expected},
          latency);
    }
}

// With uniform traffic, output queueing is a bound for input queues, and voqnet comes near to it.
TEST(SingleSwitch, OutputQueueingBoundsTheLatency) {
  const std::uint32_t nodes = 8;
  for (const double load : {0.3, 0.6, 0.8}) {
    const double bound =
        kEightBytes + 2 * kDelay + (nodes - 1.0) / nodes * load / (2 * (1 - load)) * kEightBytes;
    const Workload workload =
        test::slotted(test::first_nodes(nodes), test::anywhere(nodes), kEightBytes, load);
    for (const ArbiterKind arbiter : kArbiters) {
      const auto latency = [&](std::string_view scheme) {
        const Network network =
            one_switch(nodes, scheme, options_with(arbiter, Admittance::per_destination, 64));
        return measure(network, workload, 7, 20'000).mean_latency;
      };
      const double voqnet = latency("voqnet");
      EXPECT_GT(voqnet, 0.99 * bound) << load;
      EXPECT_LT(voqnet, 1.5 * bound) << load;
      EXPECT_GT(latency("1q"), voqnet) << load;
    }
  }
}

}  // namespace
}  // namespace headway
