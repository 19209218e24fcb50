// SPDX-License-Identifier: Apache-2.0
// Tests the rules of the overflow queue by hand, and order and conservation under random arrivals and
// departures.
#include "headway/congestion/overflow.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "headway/base/rng.h"

namespace headway {
namespace {

struct Item {
  NodeId destination;
  int number;
};

// One port whose queues are lists.
class OverflowPort {
 public:
  static constexpr std::uint32_t kNodes = 16;
  explicit OverflowPort(const OverflowRules& rules, const std::vector<NodeId>& arrivals = {})
      : tables(by_modulo(rules), 1), policy(tables), queues_(Overflow::queues(rules)) {
    for (const NodeId destination : arrivals) arrive(destination);
  }

  std::size_t length(std::uint32_t queue) const { return queues_[queue].size(); }
  NodeId destination(std::uint32_t queue) const { return queues_[queue].front().destination; }
  void move(std::uint32_t from, std::uint32_t to) {
    const Item item = queues_[from].front();
    queues_[from].pop_front();
    queues_[to].push_back(item);
  }

  void arrive(NodeId destination) {
    queues_[Overflow::kArrival].push_back({destination, next_number_++});
    policy.settle(0, *this);
  }
  Item leave(std::uint32_t queue) {
    const Item item = queues_[queue].front();
    queues_[queue].pop_front();
    policy.settle(0, *this);
    return item;
  }
  // " 2 2 | 0 0 | 1": destinations in the overflow queue, then in the queues that destinations own
  std::string state() const {
    std::string text;
    for (std::uint32_t queue = Overflow::kOverflow; queue < queues_.size(); ++queue) {
      text += queue == Overflow::kOverflow ? "" : " |";
      for (const Item& item : queues_[queue]) text += " " + std::to_string(item.destination);
    }
    return text;
  }
  std::size_t packets() const {
    std::size_t sum = 0;
    for (const auto& queue : queues_) sum += queue.size();
    return sum;
  }
  std::uint32_t queues() const { return static_cast<std::uint32_t>(queues_.size()); }

  Overflow::Tables tables;
  Overflow policy;

 private:
  static OverflowRules by_modulo(OverflowRules rules) {
    for (NodeId node = 0; node < kNodes; ++node) rules.set_of.push_back(node % (rules.queues / rules.ways));
    return rules;
  }

  std::vector<std::deque<Item>> queues_;
  int next_number_ = 0;
};

TEST(Overflow, GivesAQueueToOneDestinationAtATime) {
  OverflowPort bench({.queues = 2}, {0, 2, 0, 1, 2});
  EXPECT_EQ(bench.state(), " 2 2 | 0 0 | 1");
  bench.leave(Overflow::kFirst);
  bench.leave(Overflow::kFirst);
  EXPECT_EQ(bench.policy.owner(0, Overflow::kFirst), kNone);
  bench.arrive(2);  // joins the packets of 2 in the overflow queue, although its own queue is free
  bench.arrive(4);
  EXPECT_EQ(bench.state(), " 2 2 2 | 4 | 1");
}

TEST(Overflow, LetsADestinationUseAnyQueueOfItsSet) {
  EXPECT_EQ(OverflowPort({.queues = 4, .ways = 2}, {0, 2, 4, 1}).state(), " 4 | 0 | 2 | 1 |");
  EXPECT_EQ(OverflowPort({.queues = 4, .ways = 4}, {0, 2, 4, 1, 8}).state(), " 8 | 0 | 2 | 4 | 1");
}

TEST(Overflow, ReplacesByItsFunction) {
  const auto replaced = [](Replacement function) {
    // 0 came first and has three packets, 2 has one, 4 came last and has two; the last arrival was for 0
    return OverflowPort({.queues = 3, .ways = 3, .replacement = function}, {0, 0, 2, 4, 4, 0, 6}).state();
  };
  EXPECT_EQ(replaced(Replacement::none), " 6 | 0 0 0 | 2 | 4 4");
  EXPECT_EQ(replaced(Replacement::lru), " 2 | 0 0 0 | 6 | 4 4");
  EXPECT_EQ(replaced(Replacement::oldest), " 0 0 0 | 6 | 2 | 4 4");
  EXPECT_EQ(replaced(Replacement::shortest), " 2 | 0 0 0 | 6 | 4 4");
  EXPECT_EQ(replaced(Replacement::longest), " 0 0 0 | 6 | 2 | 4 4");
}

TEST(Overflow, BreaksTiesOfReplacementByLastUse) {
  EXPECT_EQ(OverflowPort({.queues = 2, .ways = 2, .replacement = Replacement::shortest}, {0, 2, 4}).state(),
            " 0 | 4 | 2");
  EXPECT_EQ(
      OverflowPort({.queues = 2, .ways = 2, .replacement = Replacement::longest}, {0, 0, 2, 2, 4}).state(),
      " 0 0 | 4 | 2 2");
}

TEST(Overflow, RestoresByItsFunction) {
  const auto restored = [](Restoration function) {
    OverflowPort bench({.queues = 1, .restoration = function}, {0, 1, 2, 3, 2, 1, 2});
    bench.leave(Overflow::kFirst);
    return bench.state();
  };
  EXPECT_EQ(restored(Restoration::none), " 1 2 3 2 1 2 |");
  EXPECT_EQ(restored(Restoration::first), " 2 3 2 2 | 1 1");
  EXPECT_EQ(restored(Restoration::most), " 1 3 1 | 2 2 2");
}

TEST(Overflow, RestoresOnlyWhoMayUseTheQueue) {
  OverflowPort bench({.queues = 2, .restoration = Restoration::first}, {0, 1, 3, 2});
  EXPECT_EQ(bench.state(), " 3 2 | 0 | 1");
  bench.leave(Overflow::kFirst);
  EXPECT_EQ(bench.state(), " 3 | 2 | 1");
}

// For all arrivals and departures: no packet is lost, the packets of a destination leave in order, an owned
// queue holds packets of one destination, and the packets of a destination are in one queue.
TEST(Overflow, NeverReordersOrLeaks) {
  for (const auto replacement : {Replacement::none, Replacement::lru, Replacement::oldest,
                                 Replacement::shortest, Replacement::longest})
    for (const auto restoration : {Restoration::none, Restoration::first, Restoration::most})
      for (const std::uint32_t ways : {1U, 2U, 4U}) {
        Rng rng(1, ways);
        OverflowPort bench(
            {.queues = 4, .ways = ways, .replacement = replacement, .restoration = restoration});
        std::map<NodeId, int> last;
        std::size_t inside = 0;
        for (int step = 0; step < 4000; ++step) {
          const bool filling = step / 100 % 2 == 0;
          if (inside < 40 && rng.below(filling ? 3 : 6) > 0 && rng.below(2) == 0) {
            bench.arrive(rng.below(OverflowPort::kNodes));
            ++inside;
          } else if (const std::uint32_t queue = 1 + rng.below(bench.queues() - 1); bench.length(queue) > 0) {
            const Item item = bench.leave(queue);
            --inside;
            const auto [before, is_first] = last.try_emplace(item.destination, -1);
            ASSERT_LT(before->second, item.number) << "destination " << item.destination;
            before->second = item.number;
          }
          ASSERT_EQ(bench.packets(), inside);
          ASSERT_EQ(bench.length(Overflow::kArrival), 0U);
          ASSERT_EQ(bench.policy.overflow(0).size(), bench.length(Overflow::kOverflow));
          std::map<NodeId, std::uint32_t> owns;
          for (std::uint32_t queue = Overflow::kFirst; queue < bench.queues(); ++queue) {
            const NodeId owner = bench.policy.owner(0, queue);
            ASSERT_EQ(owner == kNone, bench.length(queue) == 0);
            if (owner == kNone) continue;
            ASSERT_EQ(bench.destination(queue), owner);
            ASSERT_TRUE(owns.emplace(owner, queue).second);
          }
          for (const NodeId waiting : bench.policy.overflow(0)) ASSERT_FALSE(owns.contains(waiting));
        }
        for (std::uint32_t queue = 1; queue < bench.queues(); ++queue)
          while (bench.length(queue) > 0) bench.leave(queue), --inside;
        for (std::uint32_t queue = 1; queue < bench.queues(); ++queue)  // packets restored meanwhile
          while (bench.length(queue) > 0) bench.leave(queue), --inside;
        EXPECT_EQ(bench.packets(), inside);
      }
}

}  // namespace
}  // namespace headway
