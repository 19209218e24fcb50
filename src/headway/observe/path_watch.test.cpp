// SPDX-License-Identifier: Apache-2.0
// What is seen of single packets is what photographs show of all.
#include "headway/observe/path_watch.h"

#include <gtest/gtest.h>

#include <array>
#include <numeric>

#include "headway/engine/simulation.h"
#include "headway/observe/camera.h"
#include "tests/support/random_case.h"

namespace headway {
namespace {

// Heads wait for at most one queue, so photographs draw nothing.
bool draws_nothing(const Network& network) {
  return network.queue_map.channels == 1 && !network.selection && !network.is_pooled();
}

struct Compared {
  std::uint64_t packets = 0, hol = 0, victims = 0;
};

void compare(const Network& network, const Photograph& photograph, const StateView& view, PathWatch& watch,
             Compared& all) {
  const std::vector<PortId> ports = network.ports_of_queues();
  std::array<std::vector<WaitingPacket>, StateView::kQueuesAtOnce> packets;
  for (const QueueSeen& seen : photograph.queues) {
    std::uint32_t hol = 0, victims = 0;
    view.packets({&seen.queue, 1}, packets);
    for (const WaitingPacket& packet : packets[0]) {
      FollowedPacket followed{packet.source, packet.serial, packet.id};
      const std::optional<PacketWait> wait = watch.look(view, followed);
      ASSERT_TRUE(wait);
      ++all.packets;
      hol += wait->waiting == Waiting::hol ? 1 : 0;
      victims += wait->victim ? 1 : 0;
      EXPECT_EQ(wait->at, network.graph_port(ports[seen.queue]));
      const bool moves = wait->waiting == Waiting::serial || wait->waiting == Waiting::input;
      if (!moves && draws_nothing(network)) EXPECT_EQ(wait->root, photograph.roots[seen.root].root);
    }
    EXPECT_EQ(hol, seen.hol);
    if (draws_nothing(network)) EXPECT_EQ(victims, seen.victims);
    all.hol += hol;
    all.victims += victims;
  }
}

void compare_all(test::RandomCase (*random_case)(std::uint64_t, test::Memory)) {
  Compared all;
  for (std::uint64_t number = 0; number < 60 && !testing::Test::HasFailure(); ++number) {
    const test::RandomCase c =
        random_case(number, number % 3 == 2 ? test::Memory::cells : test::Memory::slots);
    SCOPED_TRACE("case " + std::to_string(number) + ": " + c.description);
    std::vector<std::uint32_t> each(c.workload.flows.size());
    std::iota(each.begin(), each.end(), 0U);
    const FlowNumbers flows(c.workload, each);
    const auto simulation = make_simulation(c.network, c.workload, {.seed = number, .keep_sent = true});
    Camera camera(c.network, number);
    PathWatch watch(c.network, flows, number);
    for (Tick end = c.end / 5; end <= c.end; end += c.end / 5) {
      simulation->run_until(end);
      compare(c.network, camera.take(simulation->view()), simulation->view(), watch, all);
    }
  }
  EXPECT_GT(all.packets, 1000);
  EXPECT_GT(all.hol, 10);
  EXPECT_GT(all.victims, 10);
}

TEST(PathWatch, SeesWhatPhotographsShow) { compare_all(test::random_case); }
TEST(PathWatch, SeesWhatPhotographsShowWithIsolation) { compare_all(test::random_isolation_case); }

}  // namespace
}  // namespace headway
