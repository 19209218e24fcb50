// SPDX-License-Identifier: Apache-2.0
// The hot spot of the OBQA paper (case 2: a quarter of the nodes send to one, the rest uniformly, all at full
// load) against the bound for any network: a destination receives at most one link's rate and at most its
// offered load. With 256 nodes this is 192.25 links, or .7510 of all link rates.
#include <gtest/gtest.h>

#include <numeric>

#include "headway/config/assign.h"
#include "headway/engine/simulation.h"
#include "tests/support/hand_made.h"

namespace headway {
namespace {

constexpr NodeId kHotNode = 123;
constexpr std::uint32_t kNodes = 256;
constexpr std::uint32_t kPacket = 64;
constexpr double kLoadOfHotSpot = 0.999;

// All nodes but the source, like the uniform traffic of the papers.
class Others : public Destinations {
 public:
  explicit Others(std::uint32_t nodes) : nodes_(nodes) {}
  NodeId next(NodeId source, Rng& rng) const override {
    return (source + 1 + rng.below(nodes_ - 1)) % nodes_;
  }

 private:
  std::uint32_t nodes_;
};

Workload hot_spot() {
  Workload workload = test::slotted({}, std::make_shared<Others>(kNodes), kPacket, kLoadOfHotSpot);
  workload.flows.push_back(workload.flows[0]);
  workload.flows[1].destinations = test::always(kHotNode);
  for (const std::uint32_t flow : {0U, 1U})
    for (NodeId node = 0; node < kNodes; ++node)
      if ((node % 4 == 0) == (flow == 1)) workload.sources.push_back({node, flow});
  return workload;
}

// Fraction of all link rates delivered between 30 and 80 us; also checks every destination's share.
double efficiency(const Choice<Topology>& topology, std::string_view scheme, std::uint32_t capacity) {
  NetworkOptions options;
  options.packet_bytes = kPacket;
  options.capacity = capacity;
  const Network network = test::network_of(topology, "det", choose(schemes(), scheme), options);
  const Workload workload = hot_spot();
  const auto simulation = make_simulation(network, workload, {});
  const Tick from = 30'000, to = 80'000;
  simulation->run_until(from);
  const std::vector<std::uint64_t> before = simulation->record().bytes_to;
  simulation->run_until(to);
  std::uint64_t total = 0;
  for (NodeId node = 0; node < kNodes; ++node) {
    const std::uint64_t bytes = simulation->record().bytes_to[node] - before[node];
    EXPECT_LE(bytes, static_cast<std::uint64_t>(to - from) + kPacket) << scheme << ", destination " << node;
    total += bytes;
  }
  return static_cast<double>(total) / static_cast<double>(to - from) / kNodes;
}

TEST(HotSpot, NoSchemeExceedsTheIdealAndVoqnetComesNear) {
  const double ideal =
      (192 + 0.25) / 256;  // 192 links of background traffic, and the rest of node 123's link
  for (const auto& topology : {choose(topologies(), "k-ary-n-tree", {{"k", 4}, {"n", 4}}),
                               choose(topologies(), "k-ary-n-tree", {{"k", 16}, {"n", 2}})})
    for (const Entry<Scheme>& scheme : schemes()) {
      const double reached = efficiency(topology, scheme.name, 8);
      EXPECT_LT(reached, ideal + 0.002) << scheme.name;
      if (scheme.name == "voqnet") {
        EXPECT_GT(reached, 0.97 * ideal);
      }
    }
}

}  // namespace
}  // namespace headway
