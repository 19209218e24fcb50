// SPDX-License-Identifier: Apache-2.0
// Tests the rules of isolation one by one, on ports whose queues are lists of destinations. Each of the last
// tests covers a mistake that is easy to make and that other tests may miss.
#include "headway/congestion/isolation.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <vector>

namespace headway {
namespace {

constexpr std::uint32_t kPorts = 8;
constexpr std::uint32_t kNodes = 16;
constexpr PortId kInput = 0;     // of the switch with ports 0 to 3
constexpr PortId kUpstream = 6;  // the output that feeds it
using Packets = std::deque<NodeId>;

// A switch with ports 0 to 3, where packets to destination d leave by port d mod 4; a second switch with
// ports 4 to 7, whose port 6 feeds port 0; and a tick that the test advances.
class IsolatedPort {
 public:
  explicit IsolatedPort(IsolationRules rules)
      : tables(rules, kPorts, kNodes,
               [](PortId port, NodeId node) { return port / 4 * 4 + (port < 4 ? node % 4 : 2); }),
        isolation(tables) {}

  struct Queues {
    IsolatedPort& bench;
    PortId port;
    bool is_adapter() const { return false; }
    std::uint32_t length(std::uint32_t q) const {
      return static_cast<std::uint32_t>(bench.queues[{port, q}].size());
    }
    std::uint32_t credits(std::uint32_t q) const { return length(q); }
    Isolation::Head head(std::uint32_t q) const {
      const NodeId node = bench.queues[{port, q}].front();
      return {node, port < 4 ? node % 4 : 6};
    }
    void move(std::uint32_t from, std::uint32_t to) {
      bench.queues[{port, to}].push_back(bench.queues[{port, from}].front());
      bench.queues[{port, from}].pop_front();
    }
    void send(std::uint32_t signal) { bench.sent.push_back(signal); }
    void wake_at(Tick tick) { bench.wakes.push_back(tick); }
  };

  void settle(PortId port = kInput, bool arrived = false) {
    isolation.settle(port, Queues{*this, port}, now, arrived);
  }
  void arrive(NodeId node, PortId port = kInput) {
    queues[{port, 0}].push_back(node);
    settle(port, true);
  }
  NodeId take(std::uint32_t queue, PortId port = kInput) {
    const NodeId node = queues[{port, queue}].front();
    queues[{port, queue}].pop_front();
    settle(port);
    return node;
  }
  // Lets the signals of port 0 arrive upstream, in order.
  std::vector<Isolation::Kind> deliver() {
    std::vector<Isolation::Kind> kinds;
    for (; !sent.empty(); sent.pop_front()) {
      kinds.push_back(isolation.signal(sent.front()).kind);
      isolation.receive(kUpstream, sent.front(), 4, 4);
    }
    return kinds;
  }
  Packets& queue(std::uint32_t number, PortId port = kInput) { return queues[{port, number}]; }

  Isolation::Tables tables;
  Isolation isolation;
  std::map<std::pair<PortId, std::uint32_t>, Packets> queues;
  std::deque<std::uint32_t> sent;
  std::vector<Tick> wakes;
  Tick now = 0;
};

IsolationRules rules(IsolationKey key = IsolationKey::destination) {
  IsolationRules result;
  result.key = key;
  result.lines = 3;
  result.detection_threshold = 2;
  result.stop_threshold = 3;
  result.go_threshold = 1;
  result.idle = 100;
  return result;
}

using Kind = Isolation::Kind;

TEST(Isolation, DetectsAboveTheThresholdAtTheOutputOfTheHead) {
  IsolatedPort bench(rules());
  bench.arrive(1);
  bench.arrive(2);
  EXPECT_EQ(bench.isolation.counts().detections, 0U);
  bench.arrive(3);  // the third: more than two
  ASSERT_TRUE(bench.isolation.is_active(kInput, 0));
  const Isolation::Line& line = bench.isolation.line(kInput, 0);
  EXPECT_TRUE(line.root);
  EXPECT_EQ(line.output, 1U);
  EXPECT_EQ(line.hops, 1U);
  EXPECT_EQ(line.destinations, std::vector<NodeId>{1});
  EXPECT_EQ(bench.queue(1), Packets{1});
  EXPECT_EQ(bench.queue(0), (Packets{2, 3}));
}

TEST(Isolation, FbicmLearnsDestinationsOneByOneAndRecnIqKnowsThemAll) {
  for (const IsolationKey key : {IsolationKey::destination, IsolationKey::route}) {
    IsolatedPort bench(rules(key));
    for (const NodeId node : {1, 5, 2}) bench.arrive(node);
    // 5 leaves by port 1, too, so it follows 1 with both keys
    EXPECT_EQ(bench.queue(1), (Packets{1, 5}));
    const std::vector<NodeId> learned = bench.isolation.line(kInput, 0).destinations;
    EXPECT_EQ(learned,
              key == IsolationKey::route ? (std::vector<NodeId>{1, 5, 9, 13}) : (std::vector<NodeId>{1, 5}));
  }
}

TEST(Isolation, DetectsAnOutputOnce) {
  IsolatedPort bench(rules());
  for (const NodeId node : {1, 1, 1, 1, 1}) bench.arrive(node);
  EXPECT_EQ(bench.isolation.counts().detections, 1U);
  EXPECT_EQ(bench.queue(1).size(), 5U);
}

TEST(Isolation, StopsAndGoesOnceEach) {
  IsolatedPort bench(rules());
  for (int i = 0; i < 6; ++i) bench.arrive(1);
  EXPECT_EQ(bench.deliver(), std::vector<Kind>{Kind::stop});
  EXPECT_TRUE(bench.isolation.refuses(kUpstream, 1));
  EXPECT_FALSE(bench.isolation.refuses(kUpstream, 5)) << "not in the list";
  for (int i = 0; i < 4; ++i) bench.take(1);
  EXPECT_EQ(bench.deliver(), std::vector<Kind>{}) << "two left, one more than the Go threshold";
  bench.take(1);
  EXPECT_EQ(bench.deliver(), std::vector<Kind>{Kind::go});
  EXPECT_FALSE(bench.isolation.refuses(kUpstream, 1));
  EXPECT_TRUE(bench.isolation.has_copy(kUpstream, 0));
}

TEST(Isolation, FreesAnEmptyLineWhenItHasBeenIdle) {
  IsolatedPort bench(rules());
  for (int i = 0; i < 4; ++i) bench.arrive(1);
  for (int i = 0; i < 4; ++i) bench.take(1);
  EXPECT_EQ(bench.wakes, std::vector<Tick>{100});
  bench.now = 99;
  bench.settle();
  EXPECT_TRUE(bench.isolation.is_active(kInput, 0));
  bench.now = 100;
  bench.settle();
  EXPECT_FALSE(bench.isolation.is_active(kInput, 0));
  EXPECT_EQ(bench.isolation.holding(kInput, 1), 0U);
  EXPECT_EQ(bench.deliver(), (std::vector<Kind>{Kind::stop, Kind::go, Kind::free}));
  EXPECT_FALSE(bench.isolation.has_copy(kUpstream, 0));
  EXPECT_EQ(bench.isolation.counts().false_detections, 0U) << "it has sent a Stop";
}

TEST(Isolation, ARootWaitsUntilTheNormalQueueIsShort) {
  IsolatedPort bench(rules());
  for (const NodeId node : {1, 2, 2}) bench.arrive(node);
  bench.take(1);
  for (const NodeId node : {3, 3}) bench.queue(0).push_back(node);  // four in the normal queue
  bench.now = 1000;
  bench.settle();
  EXPECT_TRUE(bench.isolation.is_active(kInput, 0));
  bench.take(0);
  bench.take(0);
  EXPECT_FALSE(bench.isolation.is_active(kInput, 0));
  EXPECT_EQ(bench.isolation.counts().false_detections, 1U);
}

// In the upstream switch (ports 4 to 7), all packets leave by port 6 towards port 0.
TEST(Isolation, ARefusedHeadGetsALineOneHopFartherAway) {
  IsolatedPort bench(rules());
  for (int i = 0; i < 5; ++i) bench.arrive(1);
  bench.deliver();
  bench.arrive(1, 4);
  ASSERT_TRUE(bench.isolation.is_active(4, 0));
  const Isolation::Line& line = bench.isolation.line(4, 0);
  EXPECT_FALSE(line.root);
  EXPECT_EQ(line.parent, 0U);
  EXPECT_EQ(line.hops, 2U);
  EXPECT_EQ(line.output, kUpstream);
  EXPECT_EQ(bench.queue(1, 4), Packets{1});
  bench.arrive(2, 4);
  EXPECT_EQ(bench.queue(0, 4), Packets{2}) << "others pass";
}

TEST(Isolation, ALineLearnsWhatItsCopyHasLearned) {
  IsolatedPort bench(rules());
  for (int i = 0; i < 5; ++i) bench.arrive(1);
  bench.deliver();
  bench.arrive(1, 4);
  for (int i = 0; i < 4; ++i) bench.take(1);
  bench.arrive(5);  // learned by the root
  for (int i = 0; i < 3; ++i) bench.arrive(1);
  EXPECT_EQ(bench.deliver(), (std::vector<Kind>{Kind::go, Kind::stop}));
  bench.settle(4);
  EXPECT_EQ(bench.isolation.line(4, 0).destinations, std::vector<NodeId>{1}) << "nobody has asked";
  bench.arrive(5, 4);
  EXPECT_EQ(bench.isolation.line(4, 0).destinations, (std::vector<NodeId>{1, 5}));
  EXPECT_EQ(bench.queue(1, 4), (Packets{1, 5}));
}

TEST(Isolation, WithoutAFreeLinePacketsWaitAndItIsCounted) {
  IsolationRules few = rules();
  few.lines = 1;
  IsolatedPort bench(few);
  for (const NodeId node : {1, 2, 3}) bench.arrive(node);  // line 0 for port 1
  bench.arrive(3);                                         // packet 2 needs a line, too
  EXPECT_EQ(bench.queue(0), (Packets{2, 3, 3}));
  EXPECT_EQ(bench.isolation.counts().refused_allocations, 1U);
}

// If packets were classified only once, at the head of the NFQ, a packet would stay in its CFQ although a
// line for another congestion exists by now, and later packets would overtake it.
TEST(Isolation, HeadsOfCfqsAreClassifiedAgain) {
  IsolatedPort bench(rules());
  // a root for port 6 at input 4, then a copy of port 0's line there
  for (const NodeId node : {1, 2, 3}) bench.arrive(node, 4);
  EXPECT_EQ(bench.queue(1, 4), (Packets{1, 2, 3}));
  for (int i = 0; i < 5; ++i) bench.arrive(1);
  bench.deliver();
  bench.settle(4);
  EXPECT_EQ(bench.queue(2, 4), Packets{1}) << "moved on to the line of the stopped copy";
  EXPECT_EQ(bench.queue(1, 4), (Packets{2, 3}));
  bench.arrive(1, 4);
  EXPECT_EQ(bench.queue(1, 4), (Packets{2, 3, 1})) << "in order: behind all that came before it";
  bench.take(1, 4);
  bench.take(1, 4);
  EXPECT_EQ(bench.queue(2, 4), (Packets{1, 1}));
}

// A packet for 1 will meet two congestions: that of its output and the one behind it.
TEST(Isolation, OfSeveralCongestionsTheFarthestOrTheNearestGetsThePacket) {
  for (const bool nearest_last : {false, true}) {
    IsolationRules given = rules(IsolationKey::route);
    given.nearest_last = nearest_last;
    IsolatedPort bench(given);
    for (int i = 0; i < 5; ++i) bench.arrive(1);
    bench.deliver();
    bench.arrive(1, 4);  // line 0, two hops from the congestion
    EXPECT_EQ(bench.isolation.line(4, 0).hops, 2U);
    for (const NodeId node : {2, 3, 6}) bench.arrive(node, 4);  // line 1, a root
    bench.arrive(1, 4);
    EXPECT_EQ(bench.queue(1, 4), nearest_last ? Packets{} : Packets{1});
    EXPECT_EQ(bench.queue(2, 4), nearest_last ? (Packets{2, 3, 6, 1, 1}) : (Packets{2, 3, 6, 1}));
    for (int i = 0; i < 3; ++i) bench.take(2, 4);
    EXPECT_EQ(bench.queue(nearest_last ? 2 : 1, 4), (Packets{1, 1}));
  }
}

// The head cannot move to a line that comes before its own in the order. Such a line is not allocated;
// otherwise every refusal would allocate one.
TEST(Isolation, AUselessLineIsNotAllocated) {
  IsolationRules three = rules();
  IsolatedPort bench(three);
  for (int i = 0; i < 5; ++i) bench.arrive(1);
  bench.deliver();
  bench.arrive(1, 4);
  const std::uint64_t lines = bench.isolation.counts().allocations;
  for (int i = 0; i < 10; ++i) bench.arrive(1, 4);
  EXPECT_EQ(bench.isolation.counts().allocations, lines);
}

// An orphan with packets keeps its destinations: a newer packet must queue behind them.
TEST(Isolation, AnOrphanKeepsItsDestinationsUntilItIsEmpty) {
  IsolatedPort bench(rules());
  for (int i = 0; i < 5; ++i) bench.arrive(1);
  bench.deliver();
  bench.arrive(1, 4);
  bench.arrive(1, 4);
  for (int i = 0; i < 5; ++i) bench.take(1);
  bench.now = 100;
  bench.settle();
  EXPECT_EQ(bench.deliver(), (std::vector<Kind>{Kind::go, Kind::free}));
  EXPECT_TRUE(bench.isolation.line(4, 0).orphan());
  bench.arrive(1, 4);
  EXPECT_EQ(bench.queue(1, 4).size(), 3U);
  EXPECT_TRUE(bench.queue(0, 4).empty());
  for (int i = 0; i < 3; ++i) bench.take(1, 4);
  EXPECT_FALSE(bench.isolation.is_active(4, 0)) << "at once, without idle time";
  bench.arrive(1, 4);
  EXPECT_EQ(bench.queue(0, 4), Packets{1});
}

// After a Free, derived lines no longer belong to the copy. If its number is reused for another congestion,
// lines derived from the first copy must not be taken for lines of the second. No invariant of the network
// detects this.
TEST(Isolation, AnOrphanIsNotAdoptedByALaterLineOfTheSameNumber) {
  IsolatedPort bench(rules());
  for (int i = 0; i < 5; ++i) bench.arrive(1);
  bench.deliver();
  bench.arrive(1, 4);
  for (int i = 0; i < 5; ++i) bench.take(1);
  bench.now = 100;
  bench.settle();
  bench.deliver();
  ASSERT_TRUE(bench.isolation.line(4, 0).orphan());
  for (int i = 0; i < 5; ++i) bench.arrive(2);  // line 0 again, for port 2
  EXPECT_EQ(bench.isolation.line(kInput, 0).output, 2U);
  EXPECT_EQ(bench.deliver(), std::vector<Kind>{Kind::stop});
  EXPECT_FALSE(bench.isolation.refuses(kUpstream, 1)) << "the copy's old destinations are gone";
  bench.arrive(2, 4);
  EXPECT_EQ(bench.isolation.line(4, 0).destinations, std::vector<NodeId>{1});
  ASSERT_TRUE(bench.isolation.is_active(4, 1));
  EXPECT_EQ(bench.isolation.line(4, 1).parent, 0U);
  EXPECT_EQ(bench.isolation.line(4, 1).destinations, std::vector<NodeId>{2});
}

// With a Go threshold of 0, a Go is still sent when the queue is empty.
TEST(Isolation, AGoThresholdOfZeroStillGoes) {
  IsolationRules zero = rules();
  zero.go_threshold = zero.stop_threshold = 0;
  IsolatedPort bench(zero);
  for (const NodeId node : {1, 2, 3}) bench.arrive(node);
  EXPECT_EQ(bench.deliver(), std::vector<Kind>{Kind::stop});
  bench.take(1);
  EXPECT_EQ(bench.deliver(), std::vector<Kind>{Kind::go});
}

}  // namespace
}  // namespace headway
