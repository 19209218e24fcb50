// SPDX-License-Identifier: Apache-2.0
// Parts have whole switches and about as many of them each.
#include "headway/engine/cut.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <string>
#include <string_view>
#include <vector>

#include "headway/compile/build.h"
#include "headway/config/assign.h"

namespace headway {
namespace {

Model model_of(const Choice<Topology>& topology, std::string_view routing = "det") {
  EventSpec spec;
  spec.network.topology = topology;
  spec.routing.algorithm = choose(routings(), routing);
  return build(spec);
}

TEST(Cut, KeepsNodesWithTheirSwitches) {
  const Model model = model_of(choose(topologies(), "dragonfly", {{"p", 2}, {"a", 4}, {"h", 2}}), "minimal");
  const NetworkCut cut = cut_of(model.network, model.workload, 5);
  std::uint32_t last = 0;
  for (NodeId node = 0; node < model.network.nodes(); ++node) {
    const std::uint32_t part = cut.part_of[model.network.switches() + node];
    EXPECT_EQ(part, cut.part_of[model.network.switch_of(node)]);
    EXPECT_GE(part, last);  // consecutive
    last = part;
  }
  EXPECT_EQ(last, 4U);
}

// Every level of a tree is shared out equally, also among more parts than the tree has subtrees.
TEST(Cut, SharesEveryLevelOfATree) {
  struct Tree {
    std::int64_t k, n;
  };
  for (const auto [k, n] : {Tree{4, 4}, Tree{16, 3}}) {
    const Model model = model_of(choose(topologies(), "k-ary-n-tree", {{"k", k}, {"n", n}}));
    for (std::uint32_t parts = 2; parts <= kMostParts; ++parts) {
      SCOPED_TRACE(std::to_string(k) + "-ary tree in " + std::to_string(parts));
      const NetworkCut cut = cut_of(model.network, model.workload, parts);
      std::vector<std::uint32_t> sizes(parts);
      for (SwitchId sw = 0; sw < model.network.switches(); ++sw) ++sizes.at(cut.part_of[sw]);
      const double mean = static_cast<double>(model.network.switches()) / parts;
      // Otherwise every level is rounded up, and a subtree joins only parts to which it has links.
      const double most = std::has_single_bit(parts) ? mean : 1.2 * mean + static_cast<double>(n);
      EXPECT_LE(std::ranges::max(sizes), most);
    }
  }
}

// A job on the first quarter of the nodes, and flows that all want the link of the last node: both parts get
// half of the switches of the job.
TEST(Cut, SharesWhatNodesSend) {
  EventSpec spec;
  spec.network.topology = choose(topologies(), "k-ary-n-tree", {{"k", 4}, {"n", 4}});
  spec.traffic.flows[0].pattern = choose(patterns(), "hotspot", {{"destination", 255}});
  spec.traffic.jobs = {
      {.program = choose(programs(), "all-reduce", {{"size", Bytes{1 << 20}}}), .ranks = 64}};
  const Model model = build(spec);
  const NetworkCut cut = cut_of(model.network, model.workload, 2);
  const auto part_of = [&](NodeId node) { return cut.part_of[model.network.adapter(node)]; };
  EXPECT_EQ(part_of(0), 0);
  EXPECT_EQ(part_of(27), 0);
  EXPECT_EQ(part_of(36), 1);
  // the 64 ranks send all the time, the others as much as one link carries
  const double one = static_cast<double>(cut.look_ahead) / (static_cast<double>(model.network.packet_bytes) *
                                                            model.network.ports[0].ticks_per_byte);
  EXPECT_NEAR(cut.packets_in_epoch / one, 65, 3);
}

// Each part has a switch, also if a single one sends.
TEST(Cut, LeavesNoPartEmpty) {
  EventSpec spec;
  spec.network.topology = choose(topologies(), "k-ary-n-tree", {{"k", 4}, {"n", 2}});
  for (const NodeId sender : {0U, 6U, 15U}) {
    spec.traffic.flows[0].sources = {.kind = NodeSet::Kind::nodes, .nodes = {sender}};
    const Model model = build(spec);
    const NetworkCut cut = cut_of(model.network, model.workload, 4);
    for (NodeId node = 0; node < 16; ++node)
      EXPECT_EQ(cut.part_of[model.network.adapter(node)], node / 4) << node;
  }
}

}  // namespace
}  // namespace headway
