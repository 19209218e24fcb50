// SPDX-License-Identifier: Apache-2.0
// Equivalent schemes deliver every packet in the same tick. A scheme with one queue is 1q. On a single
// switch, output ports are destinations, so voqsw, voqnet and the shared-queue schemes with a queue per
// destination are equivalent (OBQA section 3; DBBM section 4).
#include <gtest/gtest.h>

#include <string>

#include "headway/config/assign.h"
#include "headway/engine/simulation.h"
#include "tests/support/hand_made.h"

namespace headway {
namespace {

std::uint64_t trace_hash(const Choice<Topology>& topology, const Choice<Scheme>& scheme,
                         ArbiterKind arbiter) {
  NetworkOptions options;
  options.arbiter = arbiter;
  options.packet_bytes = 8;
  options.capacity = 2;
  const Network network = test::network_of(topology, "det", scheme, options);
  const Workload workload = test::saturated(test::first_nodes(network.nodes()),
                                            test::anywhere(network.nodes()), options.packet_bytes);
  const auto simulation = make_simulation(network, workload, {.seed = 3});
  simulation->run_until(5000);
  EXPECT_GT(simulation->record().counters.packets_delivered, 1000U);
  return simulation->record().trace_hash;
}

using Schemes = std::vector<Choice<Scheme>>;

void expect_same(const Choice<Topology>& topology, const Schemes& alike) {
  for (const ArbiterKind arbiter : {ArbiterKind::round_robin, ArbiterKind::oldest_first, ArbiterKind::random})
    for (std::size_t i = 1; i < alike.size(); ++i)
      EXPECT_EQ(trace_hash(topology, alike[i], arbiter), trace_hash(topology, alike[0], arbiter))
          << alike[i].name << " differs from " << alike[0].name << ", arbiter " << static_cast<int>(arbiter);
}

TEST(Identities, OneQueueIs1q) {
  const Schemes alike = {choose(schemes(), "1q"), choose(schemes(), "dbbm", {{"queues", 1}}),
                         choose(schemes(), "dbbm", {{"queues", 1}, {"mapping", "block"}}),
                         choose(schemes(), "obqa", {{"queues", 1}}),
                         choose(schemes(), "emptiest", {{"queues", 1}})};
  expect_same(choose(topologies(), "k-ary-n-tree", {{"k", 3}, {"n", 3}}), alike);
  expect_same(choose(topologies(), "single-switch", {{"nodes", 70}}), alike);
}

TEST(Identities, AQueuePerDestinationOfASingleSwitch) {
  const std::uint32_t nodes = 12;
  const Schemes alike = {choose(schemes(), "voqsw"), choose(schemes(), "voqnet"),
                         choose(schemes(), "obqa", {{"queues", nodes}}),
                         choose(schemes(), "dbbm", {{"queues", nodes}}),
                         choose(schemes(), "dbbm", {{"queues", nodes}, {"mapping", "block"}})};
  expect_same(choose(topologies(), "single-switch", {{"nodes", nodes}}), alike);
}

TEST(Identities, AQueuePerDestinationOfATree) {
  const std::uint32_t nodes = 16;
  const Schemes alike = {choose(schemes(), "voqnet"), choose(schemes(), "dbbm", {{"queues", nodes}}),
                         choose(schemes(), "dbbm", {{"queues", nodes}, {"mapping", "block"}})};
  expect_same(choose(topologies(), "k-ary-n-tree", {{"k", 4}, {"n", 2}}), alike);
}

TEST(Identities, AQueuePerOutputOfATree) {
  const Schemes alike = {choose(schemes(), "voqsw"), choose(schemes(), "obqa", {{"queues", 8}})};
  expect_same(choose(topologies(), "k-ary-n-tree", {{"k", 4}, {"n", 2}}), alike);
}

}  // namespace
}  // namespace headway
