// SPDX-License-Identifier: Apache-2.0
// For every kind of stall: a network that has it, and a similar one that does not (docs/waiting.md,
// "Stalls").
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "headway/config/assign.h"
#include "headway/engine/simulation.h"
#include "headway/metrics/stalls.h"
#include "headway/observe/camera.h"
#include "headway/run/run.h"
#include "tests/property/networks.h"
#include "tests/support/columns.h"
#include "tests/support/sanitizer.h"

namespace headway {
namespace {

using ::testing::ElementsAre;
using ::testing::Gt;
using ::testing::IsEmpty;
using ::testing::Lt;

EventSpec to_node_3(const Choice<Topology>& topology, std::vector<std::int64_t> sources, Bytes memory) {
  EventSpec spec;
  spec.network.topology = topology;
  spec.network.link = {Rate{1}, Duration{4}};
  spec.routing.algorithm = choose(routings(), "dor");
  spec.switches.input_memory = memory;
  spec.traffic.flows.front().sources = {.kind = NodeSet::Kind::nodes, .nodes = std::move(sources)};
  spec.traffic.flows.front().pattern = choose(patterns(), "hotspot", {{"destination", 3}});
  spec.measure.warmup = Duration{20'000};
  spec.measure.duration = Duration{100'000};
  spec.observe.waiting = true;
  spec.observe.interval = Duration{1'000};
  return spec;
}

Choice<Topology> ring_of_8() {
  return choose(topologies(), "torus", {{"sides", std::vector<std::int64_t>{8}}});
}
Choice<Topology> row_of_8() {
  return choose(topologies(), "mesh", {{"sides", std::vector<std::int64_t>{8}}});
}

// The values of a column in rows of this kind.
std::vector<double> of_kind(const Result& result, StallKind kind, std::string_view name) {
  const Table& stalls = result.table("stalls");
  std::vector<double> found;
  for (std::size_t row = 0; row < rows_of(stalls); ++row)
    if (word_at(stalls, "kind", row) == name_of(kind)) found.push_back(test::column(stalls, name)[row]);
  return found;
}

// Bubble flow control lets a packet join a ring only with two free slots. Packets in the ring take every slot
// as soon as it becomes free if the next node's packets keep the queue behind full (Carrion et al., HiPC
// 1997).
TEST(Stalls, ANodeStarvesAtARing) {
  const Result result = run(to_node_3(ring_of_8(), {0, 1, 2}, Bytes{192}));
  EXPECT_THAT(of_kind(result, StallKind::starved, "source"), ElementsAre(1));
  EXPECT_THAT(of_kind(result, StallKind::starved, "at_switch"), ElementsAre(1));
  EXPECT_THAT(of_kind(result, StallKind::starved, "rivals"), ElementsAre(2));
  // half of the packets that the link can carry in 120 us
  EXPECT_THAT(of_kind(result, StallKind::starved, "passed_packets"),
              ElementsAre(testing::AllOf(Gt(900), Lt(950))));
  EXPECT_THAT(of_kind(result, StallKind::starved, "winner_share"),
              ElementsAre(testing::AllOf(Gt(0.4), Lt(0.6))));
  EXPECT_GT(result.metric("longest_head_wait_ns"), 119'000);
}

TEST(Stalls, ANodeThatGetsLittleIsNotStarved) {
  // room for two packets: the queue behind is sometimes empty, and node 1 gets a fifth of node 0's share
  EXPECT_EQ(run(to_node_3(ring_of_8(), {0, 1, 2}, Bytes{128})).metric("starved_heads"), 0);
  // a parking lot: node 0 gets an eighth of node 2's share, but every switch is fair
  EventSpec row = to_node_3(row_of_8(), {0, 1, 2, 4, 5, 6, 7}, Bytes{192});
  for (const ArbiterKind arbiter : {ArbiterKind::round_robin, ArbiterKind::oldest_first,
                                    ArbiterKind::oldest_injected, ArbiterKind::random}) {
    row.switches.arbiter = arbiter;
    EXPECT_EQ(run(row).metric("starved_heads"), 0) << static_cast<int>(arbiter);
  }
}

// Leaves 4 to 7 send to node 0 through one output of a switch, whose input 0 has the packets of leaves 4 and
// 5, and input 1 those of leaves 6 and 7. vFtree puts those of leaves 4 and 6 into one queue behind the
// output, and those of leaves 5 and 7 into another one. Credits of the two queues come in turn. With one
// pointer for both queues, so would the turns of the inputs: input 0 would get all the room of one queue, and
// input 1 all the room of the other one. Node 4 joins later, and gets half of one queue's room.
TEST(Stalls, NoInputStarvesWhereCreditsOfTwoQueuesComeInTurn) {
  EventSpec spec = to_node_3(choose(topologies(), "k-ary-n-tree", {{"k", 2}, {"n", 4}}),
                             {4, 8, 9, 10, 11, 12, 13, 14, 15}, Bytes{512});
  spec.routing.algorithm = choose(routings(), "det");
  spec.switches.scheme = choose(schemes(), "vftree", {{"queues", 2}});
  spec.traffic.flows.front().pattern = choose(patterns(), "hotspot", {{"destination", 0}});
  spec.observe.interval = Duration{200};
  spec.measure.tables = {"per-pair"};
  for (const ArbiterKind arbiter : {ArbiterKind::round_robin, ArbiterKind::oldest_first,
                                    ArbiterKind::oldest_injected, ArbiterKind::random}) {
    spec.switches.arbiter = arbiter;
    const Result result = run(spec);
    for (std::size_t source = 8; source < 16; ++source) {
      const double accepted = test::column(result.table("per_pair"), "accepted_load")[source * 16];
      EXPECT_GT(accepted, 0.04) << static_cast<int>(arbiter) << ", node " << source;
      if (arbiter == ArbiterKind::round_robin) EXPECT_NEAR(accepted, 1.0 / 12, 0.001) << source;
    }
    EXPECT_EQ(result.metric("starved_heads"), 0) << static_cast<int>(arbiter);
  }
}

// Saturated or slow packets still move.
TEST(Stalls, AJammedNetworkIsSaturatedAndNotStalled) {
  const Result result = run(to_node_3(row_of_8(), {0, 1, 2, 4, 5, 6, 7}, Bytes{4096}));
  EXPECT_EQ(result.status, Status::saturated);
  EXPECT_EQ(result.metric("starved_heads"), 0);
  EXPECT_THAT(of_kind(result, StallKind::deadlock, "queue"), IsEmpty());
  EXPECT_THAT(of_kind(result, StallKind::longest, "destination"), ElementsAre(3));
  EXPECT_LT(result.metric("longest_head_wait_ns"), 2'000);
}

Workload into_the_jam(std::uint32_t nodes, std::uint32_t bytes) {
  Workload workload = test::saturated(test::first_nodes(nodes), test::anywhere(nodes), bytes);
  workload.flows.push_back(workload.flows.front());
  workload.flows.back().destinations = test::always(0);
  return workload;
}

// In networks of about six nodes, every head gets its turn under saturation if no ring requires two free
// slots: in every topology, with every routing, scheme and arbiter.
TEST(Stalls, OfSmallNetworksOnlyRingsStarve) {
  constexpr std::uint32_t kBytes = 4;
  constexpr Tick kInterval = 97, kEnd = 2'000;
  std::uint32_t looked = 0;
  const auto visit = [&](const Network& network) {
    if (network.has_rings || network.routes.choices) return;
    const Workload workload = into_the_jam(network.nodes(), kBytes);
    const auto simulation = make_simulation(network, workload, {.seed = 1});
    Camera camera(network, 1);
    HeadWatch heads(network);
    for (Tick tick = kInterval; tick < kEnd; tick += kInterval) {
      simulation->run_until(tick);
      heads.look(camera.take(simulation->view()), simulation->view(), tick);
    }
    EXPECT_THAT(heads.starved(), IsEmpty());
    ++looked;
  };
  for_each_combination(6, kBytes, visit);
  EXPECT_GT(looked, 100U / test::kOneIn);
}

}  // namespace
}  // namespace headway
