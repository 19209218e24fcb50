// SPDX-License-Identifier: Apache-2.0
#include "headway/run/stall_watch.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "headway/config/assign.h"
#include "tests/support/hand_made.h"

namespace headway {
namespace {

// A simulation that does what the test says, and counts searches.
class Counted final : public Simulation {
 public:
  Counted() { record_.packets_in_network = 1; }

  std::uint64_t run_until(Tick, std::uint64_t) override { return 0; }
  const Record& record() const override { return record_; }
  void begin_measurement() override {}
  StateView view() const override { throw std::logic_error("has no state"); }
  Stall find_stall() const override {
    ++searches;
    return {.deadlocked = deadlocked};
  }
  const JobsView& jobs() const override { throw std::logic_error("has no jobs"); }
  MemoryParts memory() const override { return {}; }

  void work(std::uint64_t events, std::uint64_t hops) {
    record_.counters.events += events;
    record_.counters.packet_hops += hops;
  }
  void empty() { record_.packets_in_network = 0; }

  mutable std::uint64_t searches = 0;
  bool deadlocked = false;

 private:
  Record record_;
};

Network tree() {
  return test::network_of(choose(topologies(), "k-ary-n-tree", {{"k", 4}, {"n", 3}}), "det",
                          choose(schemes(), "1q"), {});
}

// A run until its jobs are done looks 65,536 times. In most of these looks, nothing has moved since the last
// one: a packet takes many looks on a link.
TEST(StallWatch, SearchesCostNoMoreThanTheEventsBetweenThem) {
  const Network network = tree();
  Counted simulation;
  StallWatch watch(simulation, network);
  constexpr std::uint64_t kLooks = 65'536;
  for (std::uint64_t look = 0; look < kLooks; ++look) {
    simulation.work(1, look % 8 == 0 ? 1 : 0);
    EXPECT_FALSE(watch.look().deadlocked);
  }
  EXPECT_GT(simulation.searches, 10U);
  // A look has an event, and weighs as much as one in a network of fewer than 1024 queues.
  EXPECT_LE(simulation.searches, 1 + 2 * kLooks / network.queues);
}

TEST(StallWatch, LongSilenceNeedsNoSecondSearch) {
  const Network network = tree();
  Counted simulation;
  StallWatch watch(simulation, network);
  for (int look = 0; look < 65'536; ++look) watch.look();
  EXPECT_EQ(simulation.searches, 1U);
}

TEST(StallWatch, MovingOrEmptyNetworksNeedNoSearch) {
  const Network network = tree();
  Counted simulation;
  StallWatch watch(simulation, network);
  for (int look = 0; look < 10'000; ++look) {
    simulation.work(1'000, 1);
    watch.look();
  }
  simulation.empty();
  for (int look = 0; look < 10'000; ++look) {
    simulation.work(1'000, 0);
    watch.look();
  }
  EXPECT_EQ(simulation.searches, 0U);
}

// The first still look finds a deadlock. One that comes after a search without result is found after at most
// a 64th of the looks of a run, however little happens.
TEST(StallWatch, FindsADeadlockSoon) {
  const Network network = tree();
  Counted simulation;
  StallWatch watch(simulation, network);
  simulation.work(100, 100);
  EXPECT_FALSE(watch.look().deadlocked);
  EXPECT_FALSE(watch.look().deadlocked);
  EXPECT_EQ(simulation.searches, 1U);
  simulation.work(3, 0);
  simulation.deadlocked = true;
  int looks = 0;
  while (!watch.look().deadlocked) ++looks;
  EXPECT_LE(looks, 1024);
  EXPECT_EQ(simulation.searches, 2U);
}

}  // namespace
}  // namespace headway
