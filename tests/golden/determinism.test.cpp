// SPDX-License-Identifier: Apache-2.0
// The same network, workload and seed always give the same deliveries: every compiler, build type, run and
// thread must give the delivery hashes recorded here (modelling.md). A code change that changes a hash
// changes simulated results. It must raise kModelVersion and be explained in CHANGELOG.md.
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "headway/config/assign.h"
#include "headway/engine/simulation.h"
#include "tests/support/hand_made.h"
#include "tests/support/random_case.h"

namespace headway {
namespace {

constexpr Tick kEnd = 3000;

std::uint64_t trace_hash(const Network& network, const Workload& workload, std::uint64_t seed, Tick end,
                         Tick step = kEnd, std::uint32_t forecast_from = kManyTurns) {
  const auto simulation = make_simulation(network, workload, {.seed = seed, .forecast_from = forecast_from});
  for (Tick tick = 0; tick < end; tick = std::min(end, tick + step))
    simulation->run_until(std::min(end, tick + step));
  return simulation->record().trace_hash;
}

std::uint64_t hash_of_case(std::uint64_t number) {
  const test::RandomCase c = test::random_case(number);
  return trace_hash(c.network, c.workload, number, c.end);
}

// Forecasts are an optimisation of plain rounds and must give the same results.
TEST(Determinism, ForecastsMoveNothing) {
  for (std::uint64_t number = 0; number < 150; ++number) {
    const test::RandomCase c = test::random_case(number);
    EXPECT_EQ(trace_hash(c.network, c.workload, number, c.end, kEnd, /*forecast_from=*/1),
              trace_hash(c.network, c.workload, number, c.end, kEnd, /*forecast_from=*/UINT32_MAX))
        << "case " << number;
  }
}

TEST(Determinism, NetworksGiveTheHashesWrittenDown) {
  const auto tree = [](int k, int n) { return choose(topologies(), "k-ary-n-tree", {{"k", k}, {"n", n}}); };
  const struct {
    Choice<Topology> topology;
    const char* routing;
    const char* scheme;
    ArbiterKind arbiter;
    bool store_and_forward;
    std::uint64_t hash;
  } golden[] = {
      {tree(4, 3), "det", "1q", ArbiterKind::round_robin, false, 0xafd36fd177b6a28e},
      {tree(4, 3), "det", "voqsw", ArbiterKind::oldest_first, false, 0xeffdf0e8f538143b},
      {tree(4, 3), "det", "obqa", ArbiterKind::random, true, 0xbf7674364ae20156},
      {tree(2, 5), "random-up", "dbbm", ArbiterKind::round_robin, false, 0x7bd6dbcbe4de4e55},
      {tree(9, 2), "random-up", "voqnet", ArbiterKind::random, false, 0xe57ede0ac4705cf2},
      {choose(topologies(), "single-switch", {{"nodes", 70}}), "det", "emptiest", ArbiterKind::oldest_first,
       true, 0x17b22565895f9624},
  };
  for (const auto& g : golden) {
    NetworkOptions options;
    options.packet_bytes = 8;
    options.capacity = 3;
    options.arbiter = g.arbiter;
    options.store_and_forward = g.store_and_forward;
    const Network network = test::network_of(g.topology, g.routing, choose(schemes(), g.scheme), options);
    const std::uint32_t nodes = network.nodes();
    const Workload workload = test::slotted(test::first_nodes(nodes), test::anywhere(nodes), 8, 0.7);
    const std::uint64_t hash = trace_hash(network, workload, 42, kEnd);
    EXPECT_EQ(hash, g.hash) << g.topology.name << ' ' << g.routing << ' ' << g.scheme << std::hex << " 0x"
                            << hash;
    EXPECT_EQ(trace_hash(network, workload, 42, kEnd, 7), hash) << "run in steps";
    EXPECT_NE(trace_hash(network, workload, 43, kEnd), hash) << "another seed";
  }
}

// A hash over many random cases is the same with one thread and with several.
TEST(Determinism, ThreadsDoNotMatter) {
  const std::uint64_t cases = 200, threads = 4;
  std::vector<std::uint64_t> alone, together(cases);
  for (std::uint64_t number = 0; number < cases; ++number) alone.push_back(hash_of_case(number));
  std::vector<std::jthread> pool;
  for (std::uint64_t first = 0; first < threads; ++first)
    pool.emplace_back([&, first] {
      for (std::uint64_t number = first; number < cases; number += threads)
        together[number] = hash_of_case(number);
    });
  pool.clear();
  EXPECT_EQ(alone, together);
  std::uint64_t folded = 0;
  for (const std::uint64_t hash : alone) folded = mix64(folded ^ hash);
  EXPECT_EQ(folded, 0x7734839739053b9f) << std::hex << "0x" << folded;
}

// Network and Workload are constant during a run, so simulations in several threads may share them.
TEST(Determinism, NetworksCanBeShared) {
  const test::RandomCase c = test::random_case(1);
  std::vector<std::uint64_t> hashes(4);
  std::vector<std::jthread> pool;
  for (auto& hash : hashes) pool.emplace_back([&] { hash = trace_hash(c.network, c.workload, 1, c.end); });
  pool.clear();
  for (const std::uint64_t hash : hashes) EXPECT_EQ(hash, hash_of_case(1));
}

}  // namespace
}  // namespace headway
