// SPDX-License-Identifier: Apache-2.0
// Photographs of long runs: instants that need more than 32 bits, and backlogs of more than 2^32 packets.
#include "headway/observe/observer.h"

#include <gtest/gtest.h>

#include <set>

#include "headway/config/assign.h"
#include "tests/support/hand_made.h"

namespace headway {
namespace {

constexpr std::uint32_t kSmallPacket = 8;

Network star_of_two() {
  NetworkOptions options;
  options.packet_bytes = kSmallPacket;
  options.capacity = options.injection_capacity = 4;
  return test::network_of(test::star(2, 2), "det", choose(schemes(), "1q"), options);
}

TEST(Observer, DrawsInstantsWithinIntervalsOfMoreThan32Bits) {
  const Network network = star_of_two();
  const Workload workload = test::saturated({0}, test::always(1), kSmallPacket, 1);
  const auto simulation = make_simulation(network, workload, {.seed = 1});
  for (const Tick interval : {Tick{1} << 32, Tick{3} << 32}) {
    Observer observer(network, 1, interval, kNone);
    std::set<Tick> offsets;
    for (Tick begin = 0; begin < 32 * interval; begin += interval) {
      const Tick offset = observer.next() - begin;
      ASSERT_GE(offset, 1);
      ASSERT_LE(offset, interval);
      offsets.insert(offset);
      observer.look(*simulation);
    }
    EXPECT_EQ(offsets.size(), 32U);
    EXPECT_LT(*offsets.begin(), interval / 4);
    EXPECT_GT(*offsets.rbegin(), interval / 4 * 3);
  }
}

TEST(Observer, CountsBacklogsOfMoreThan32Bits) {
  constexpr std::uint32_t kPackets = 1'000'000'000;
  const Network network = star_of_two();
  Workload workload = test::saturated({0}, test::always(1), kSmallPacket, 5);
  workload.flows.front().packets = kPackets;
  const auto simulation = make_simulation(network, workload, {.seed = 1});
  simulation->run_until(100);
  Camera camera(network, 1);
  const Photograph& photograph = camera.take(simulation->view());
  const std::uint64_t waiting = simulation->record().waiting_packets;
  EXPECT_GT(waiting, 5ULL * kPackets - 100);
  EXPECT_EQ(photograph.admittance_at[0], waiting);
  EXPECT_GE(photograph.culprits_to[1] + photograph.victims_to[1], waiting);
}

}  // namespace
}  // namespace headway
