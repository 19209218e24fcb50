// SPDX-License-Identifier: Apache-2.0
// Specs of impossible networks are rejected with the reason; each case is a valid spec with one change.
#include "headway/compile/plan.h"

#include <gmock/gmock.h>

#include "headway/compile/build.h"
#include "headway/compile/machine.h"
#include "headway/compile/memory.h"
#include "headway/compile/tick.h"
#include "headway/config/assign.h"
#include "headway/engine/network.h"
#include "headway/spec/spec.h"
#include "tests/support/memory_need.h"
#include "tests/support/mistakes.h"

namespace headway {
namespace {

using ::testing::StartsWith;

EventSpec small() {
  EventSpec spec;
  spec.network.topology = choose(topologies(), "k-ary-n-tree", {{"k", 4}, {"n", 2}});
  spec.switches.scheme = choose(schemes(), "obqa", {{"queues", 4}});
  spec.measure.warmup = Duration{20'000};
  return spec;
}

std::string mistakes_of(const EventSpec& spec) {
  const Mistakes mistakes = test::mistakes_of(spec);
  return mistakes.empty() ? "" : SpecError(mistakes.list()).what();
}

TEST(Check, AcceptsTheDefaults) {
  EXPECT_EQ(mistakes_of(EventSpec{}), "");
  EXPECT_EQ(mistakes_of(small()), "");
}

TEST(Check, RefusesImpossiblePhysics) {
  const struct {
    void (*change)(EventSpec&);
    std::string_view message;
  } cases[] = {
      {[](EventSpec& s) { s.switches.input_memory = {128}; },
       "switch.input_memory: 128 B over 4 queues is 32 B each, less than a packet of 64 B; at least 256 B"},
      {[](EventSpec& s) { s.switches.queue_memory = Bytes{32}; },
       "switch.queue_memory: 32 B is less than a packet of 64 B; at least 64 B"},
      {[](EventSpec& s) { s.node.injection_memory = Bytes{100}; },
       "node.injection_memory: 100 B over 4 queues is 25 B each, less than a packet of 64 B; at least 256 B"},
      {[](EventSpec& s) { s.switches.queue_memory = Bytes{1 << 30}; },
       "switch.queue_memory: a queue can hold more than 65535 packets; at most 4194240 B"},
      {[](EventSpec& s) { s.traffic.packet = {0}; },
       "traffic.packet: is out of range; at least 1 B, at most 65535 B"},
      {[](EventSpec& s) { s.network.link.rate = {{-1}}; },
       "network.link.rate: is out of range; above 0 GB/s, at most 1000000000 GB/s"},
      {[](EventSpec& s) { s.node.admittance_limit = Bytes{32}; },
       "node.admittance_limit: 32 B cannot hold a message of 64 B; at least 64 B"},
      {[](EventSpec& s) { s.switches.lanes = 2; },
       "switch.lanes: all packets have service level 0, so that they use one lane; "
       "set traffic.flow[0].service_level, "
       "switch.service_levels_file or switch.lane_table_file"},
      {[](EventSpec& s) {
         s.switches.lanes = 2;
         s.traffic.flows[0].service_level = 1;
         s.switches.scheme = choose(schemes(), "fbicm");
       },
       "switch.lanes: scheme \"fbicm\" shares the memory of a port among its queues, so its 2 lanes would "
       "not be "
       "separate; set it to 1 with this scheme"},
      {[](EventSpec& s) { s.traffic.flows.clear(); },
       "traffic.flow: there is neither a flow nor a trace nor a job"},
      {[](EventSpec& s) {
         s.traffic.flows[0].pattern = choose(patterns(), "hotspot", {{"destination", 16}});
       },
       "traffic.flow[0].destination: node 16 is outside the network; nodes are 0 to 15"},
      {[](EventSpec& s) { s.traffic.flows[0].load.points[0].load = 1.5; },
       "traffic.flow[0].load: 1.5 is more than \"poisson\" arrivals can generate; at most 1: the load cannot "
       "exceed the rate of the link"},
      {[](EventSpec& s) { s.traffic.flows[0].start = s.traffic.flows[0].stop = Duration{5}; },
       "traffic.flow[0].stop: 5 ns is not after the start, 5 ns"},
      {[](EventSpec& s) { s.traffic.flows[0].start = Duration{120'000}; },
       "traffic.flow[0].start: 120 us is after the end of the run; the run ends at 120 us, warmup + "
       "duration"},
      {[](EventSpec& s) {
         s.traffic.flows[0].sources = {NodeSet::Kind::nodes, 1.0, 0, {3}};
         s.traffic.flows[0].pattern = choose(patterns(), "hotspot", {{"destination", 3}});
       },
       "traffic.flow[0].sources: none of these nodes sends with pattern \"hotspot\"; choose a source that "
       "has "
       "another node as its destination"},
      {[](EventSpec& s) { s.traffic.flows[0].sources = {NodeSet::Kind::nodes, 1.0, 0, {3, 16}}; },
       "traffic.flow[0].sources: node 16 is outside the network; nodes are 0 to 15"},
      {[](EventSpec& s) {
         s.traffic.flows[0].sources = {NodeSet::Kind::fraction, 0.75, 0, {}};
         s.traffic.flows.push_back(s.traffic.flows[0]);
       },
       "traffic.flow[1].sources: asks for 12 nodes, but earlier flows leave 4"},
      {[](EventSpec& s) { s.traffic.flows[0].load.points = {}; },
       "traffic.flow[0].load: needs times of at least 0, in ascending order"},
      {[](EventSpec& s) {
         s.traffic.flows[0].sizes = choose(message_sizes(), "fixed", {{"message", Bytes{1LL << 40}}});
       },
       "traffic.flow[0].message: 1024 GiB is more than 1000000000 packets"},
      {[](EventSpec& s) { s.network.link.delay = {{1, 10'000'000'000}}; },
       "network.link.rate: 1 ns is too long in ticks of 0.0000001 ps, which network.link.delay needs: "
       "0.0000001 ps; at most 2147483647 ticks, so choose network.link.delay so that it takes a whole number "
       "of picoseconds"},
      {[](EventSpec& s) { s.network.link.rate = {{999'999'937}}; },
       "network.link.delay: 4 ns is too long in ticks of 1/999999937 ns, which network.link.rate needs: the "
       "time of a byte, 1/999999937 ns; at most 2147483647 ticks, so choose a rate at which a byte takes a "
       "whole number of picoseconds, such as \"1 TB/s\""},
      {[](EventSpec& s) {
         s.network.link.rate = *parse_rate("10 GiB/s");
         s.measure.duration = {4'000'000};
       },
       "measure.duration: 4 ms is too long in ticks of 0.0002384185791015625 ps, which network.link.rate "
       "needs: "
       "the time of a byte, 25/268435456 ms; at most 4398046511104 ticks, so choose a rate at which a byte "
       "takes "
       "a whole number of picoseconds, such as \"1/93 TB/s\""},
      {[](EventSpec& s) {
         s.network.link.rate = {{999'999'937}};
         s.network.link.delay = {{1, 1'000'000'000'000}};
       },
       "network.link.delay: 0.000000001 ps has no common tick with the other times of the spec; choose "
       "network.link.delay so that it takes a whole number of picoseconds"},
      {[](EventSpec& s) { s.network.link.delay = {0}; },
       "network.link.delay: a hop takes no time, because link delay and routing delay are both 0; one of "
       "them must "
       "be above 0"},
      {[](EventSpec& s) { s.network.link.delay = {10'000'000'000}; },
       "network.link.delay: 10 s is too long in ticks of 1 ns; at most 2147483647 ticks"},
      {[](EventSpec& s) { s.measure.duration = {10'000'000'000'000}; },
       "measure.duration: 10000 s is too long in ticks of 1 ns; at most 4398046511104 ticks"},
      {[](EventSpec& s) {
         s.measure.warmup.reset();
         s.measure.duration = {2'000'000'000'000};
       },
       "measure.duration: a run of 6000 s is too long in ticks of 1 ns; at most 4398046511104 ticks"},
      {[](EventSpec& s) {
         s.measure.duration = {4'000'000'000'000};
         s.observe = {.waiting = true, .interval = {4'000'000'000'000}};
         s.measure.warmup = Duration{400'000'000'000};
       },
       "measure.duration: a run of 4400 s is too long in ticks of 1 ns; at most 4398046511104 ticks"},
      {[](EventSpec& s) {
         s.network.link.delay = {{4'001, 1'000}};
         s.traffic.flows[0].sizes = choose(message_sizes(), "fixed", {{"message", Bytes{20'000'000'000}}});
       },
       "traffic.flow[0].message: on its link, a message of 20 s is too long in ticks of 1 ps; at most "
       "274877906944 ticks"},
      {[](EventSpec& s) { s.seed = 9'007'199'254'740'993; },
       "seed: is out of range; at least 0, at most 9000000000000000"},
      {[](EventSpec& s) { s.measure.bin = Duration{{1, 1000}}; },
       "measure.bin: 1 ps gives more than 10000000 bins"},
      {[](EventSpec& s) { s.network.topology = choose(topologies(), "k-ary-n-tree", {{"k", 4}, {"n", 20}}); },
       "network.n: a tree of 4^20 nodes is too large; k^n can be at most 16777216"},
      {[](EventSpec& s) {
         s.network.topology = choose(topologies(), "single-switch", {{"nodes", 4}});
         s.routing.algorithm = choose(routings(), "random-up");
       },
       "routing.algorithm: \"random-up\" cannot route a single switch; \"det\", \"table\", \"up-down\", "
       "\"ecmp\", \"spray\", \"lash\" or \"dfsssp\" can"},
      {[](EventSpec& s) { s.switches.weights = {1, 2, 3, 4}; },
       "switch.weights: no arbiter uses weights; switch.output_arbiter = \"weighted-round-robin\" uses them"},
      {[](EventSpec& s) {
         s.switches.output_arbiter = OutputArbiter::weighted_round_robin;
         s.switches.weights = {1, 2};
       },
       "switch.weights: has 2 weights for 4 queues; give one weight for each queue"},
      {[](EventSpec& s) {
         s.switches.output_arbiter = OutputArbiter::weighted_round_robin;
         s.switches.scheme = choose(schemes(), "dbbm", {{"queues", 65}});
         s.switches.queue_memory = Bytes{64};
       },
       "switch.output_arbiter: \"dbbm\" needs 65 queues per port in this network; weighted round robin "
       "supports at most "
       "64"},
      {[](EventSpec& s) { s.switches.cell = Bytes{65}; },
       "switch.cell: 65 B is more than a packet of 64 B; at most 64 B"},
      {[](EventSpec& s) { s.switches.cell = Bytes{0}; },
       "switch.cell: is out of range; at least 1 B, at most 65535 B"},
      {[](EventSpec& s) {
         s.switches.cell = Bytes{48};
         s.switches.queue_memory = Bytes{64};
       },
       "switch.queue_memory: 64 B is less than a packet of 64 B, which takes 2 cells; at least 96 B"},
      {[](EventSpec& s) {
         s.switches.cell = Bytes{1};
         s.switches.queue_memory = Bytes{65'536};
       },
       "switch.queue_memory: a queue can hold more than 65535 cells; at most 65535 B, or larger cells"},
      {[](EventSpec& s) {
         s.switches.cell = Bytes{16};
         s.network.topology = choose(topologies(), "torus");
         s.routing.algorithm = choose(routings(), "dor");
         s.switches.scheme = choose(schemes(), "1q");
       },
       "switch.cell: the rings of topology \"torus\" need bubbles, which packets of different lengths would "
       "split into pieces; omit it, or use lanes instead of bubbles: routing.rings = \"dateline\""},
      {[](EventSpec& s) { s.switches.credit_packet = {65}; },
       "switch.credit_packet: 65 B is more than a packet of 64 B"},
      {[](EventSpec& s) {
         s.switches.credit_packet = {4};
         s.network.topology = choose(topologies(), "omega");
       },
       "switch.credit_packet: this topology has unidirectional links; with 0 B, credits use no bandwidth"},
      {[](EventSpec& s) {
         s.switches.scheme = choose(schemes(), "fbicm", {{"notification_packet", Bytes{65}}});
       },
       "switch.notification_packet: 65 B is more than a packet of 64 B"},
      {[](EventSpec& s) {
         s.switches.scheme = choose(schemes(), "fbicm");
         s.switches.architecture = Architecture::cioq;
       },
       "switch.architecture: scheme \"fbicm\" supports only input-queued switches; use \"iq\""},
      {[](EventSpec& s) {
         s.switches.scheme = choose(schemes(), "recn-iq");
         s.routing.algorithm = choose(routings(), "random-up");
       },
       "routing.algorithm: scheme \"recn-iq\" needs routes that depend only on the destination; those of "
       "\"random-up\" do not; \"det\", \"table\", \"up-down\", \"lash\" or \"dfsssp\" have such routes with "
       "their "
       "default parameters"},
      {[](EventSpec& s) {
         s.switches.scheme = choose(schemes(), "fbicm", {{"stop_threshold", 3}});
         s.switches.queue_memory = Bytes{512};
       },
       "switch.go_threshold: 4 is more than stop_threshold, 3; a queue must send Go with fewer packets than "
       "it sends Stop with\n"
       "switch.queue_memory: the queues of a port share its memory with scheme \"fbicm\"; "
       "use switch.input_memory"},
      {[](EventSpec& s) { s.measure.watch_destination = 16; },
       "measure.watch_destination: there is no node 16; at most 15"},
      {[](EventSpec& s) {
         s.switches.architecture = Architecture::cioq;
         s.switches.crossbar_speedup = 1.5;
         s.switches.output_memory = {0};
       },
       "switch.output_memory: 0 B over 4 queues is 0 B each, less than a packet of 64 B; at least 256 B"},
      {[](EventSpec& s) {
         s.switches.scheme = choose(schemes(), "1q");
         s.routing.algorithm = choose(routings(), "adaptive");
         s.routing.selection = choose(selections(), "mc");
         s.measure.tables.insert("fairness");
       },
       "measure.tables: \"fairness\" needs routes that are known before the run; with \"adaptive\", packets "
       "choose them by the state of the network; omit it"},
      {[](EventSpec& s) {
         s.network.topology = choose(topologies(), "dragonfly", {{"p", 3}, {"a", 6}, {"h", 3}});
         s.switches.scheme = choose(schemes(), "1q");
         s.routing.algorithm = choose(routings(), "valiant");
         s.measure.tables.insert("fairness");
       },
       "measure.tables: \"fairness\" needs the links of all pairs, and with \"valiant\" every pair crosses "
       "most "
       "links; at most 128 nodes; omit it"},
      {[](EventSpec& s) {
         s.network.topology = choose(topologies(), "k-ary-n-tree", {{"k", 4}, {"n", 6}});
         s.measure.tables.insert("fairness");
       },
       "measure.tables: \"fairness\" needs all 4096 x 4096 pairs of nodes; at most 2048 "
       "nodes"},
      {[](EventSpec& s) {
         s.network.topology = choose(topologies(), "k-ary-n-tree", {{"k", 4}, {"n", 6}});
         s.measure.tables.insert("pair-series");
         s.measure.bin = Duration{100'000};
       },
       "measure.tables: \"pair-series\" needs all 4096 x 4096 pairs of nodes; at most "
       "1024 nodes\n"
       "measure.tables: \"pair-series\" could have 12808192 rows; at most 5000000: use a shorter duration, "
       "longer bins, or a given warm-up"},
      {[](EventSpec& s) {
         s.routing.algorithm = choose(routings(), "adaptive");
         s.switches.scheme = choose(schemes(), "voqsw");
       },
       "switch.scheme: \"voqsw\" chooses the queue by the requested output, which adaptive routing chooses "
       "only later; use \"1q\", with virtual channels, or a scheme by destination"},
      {[](EventSpec& s) {
         s.network.topology = choose(topologies(), "mesh", {{"sides", std::vector<std::int64_t>{4, 4}}});
         s.routing.algorithm = choose(routings(), "adaptive");
         s.switches.scheme = choose(schemes(), "1q");
         s.routing.none_free = NoneFree::preferred;
       },
       "routing.none_free: \"preferred\" would keep a packet from its escape, which it can need in topology "
       "\"mesh\"; use \"wait\""},
      {[](EventSpec& s) {
         s.network.topology = choose(topologies(), "mesh", {{"sides", std::vector<std::int64_t>{4, 4}}});
         s.routing.algorithm = choose(routings(), "adaptive");
         s.switches.scheme = choose(schemes(), "1q");
         s.routing.choose_per = ChoosePer::message;
       },
       "routing.choose_per: a packet that follows others of its message could not take its escape, which it "
       "can need in topology \"mesh\"; use \"packet\", or choose = \"arrival\""},
      {[](EventSpec& s) {
         s.routing.algorithm = choose(routings(), "spray");
         s.routing.choose_per = ChoosePer::flowlet;
         s.routing.flowlet_gap = Duration{8};
       },
       "routing.choose_per: \"spray\" draws paths before packets are at switches, which alone know gaps; use "
       "\"message\", or algorithm = \"adaptive\", whose selection \"rp\" draws"},
      {[](EventSpec& s) {
         s.switches.scheme = choose(schemes(), "emptiest");
         s.switches.virtual_channels = 2;
       },
       "switch.virtual_channels: the queues of \"emptiest\" are already virtual channels; set it to 1 with "
       "this "
       "scheme"},
      {[](EventSpec& s) {
         s.network.topology = choose(topologies(), "single-switch", {{"nodes", 4}});
         s.switches.scheme = choose(schemes(), "dbbm", {{"queues", 2000}});
         s.switches.lanes = 64;
         s.traffic.flows[0].service_level = 63;
       },
       "switch.lanes: \"dbbm\" needs 2000 queues per port in this network in each of 64 lanes, 128000 in "
       "all; at most 65535 in all, so at most 32 lanes with 2000 queues each"},
      {[](EventSpec& s) {
         s.switches.scheme = choose(schemes(), "dbbm", {{"queues", 65'535}});
         s.switches.virtual_channels = 2;
       },
       "switch.virtual_channels: \"dbbm\" needs 65535 queues per port in this network in each of 2 virtual "
       "channels, 131070 in all; at most 65535 in all"},
      {[](EventSpec& s) { s.switches.scheme = choose(schemes(), "dbbm-unshared", {{"queues", 65'534}}); },
       "switch.scheme: \"dbbm-unshared\" needs 65536 queues per port in this network; at most 65535"}};
  for (const auto& [change, message] : cases) {
    EventSpec spec = small();
    change(spec);
    EXPECT_EQ(mistakes_of(spec), message);
  }
}

TEST(Check, RefusesWhatThisMachineCannotHold) {
  if (machine_memory() > 300'000'000'000U) GTEST_SKIP() << "a machine with " << memory_text(machine_memory());
  EventSpec spec = small();
  spec.network.topology = choose(topologies(), "k-ary-n-tree", {{"k", 8}, {"n", 5}});
  spec.routing.algorithm = choose(routings(), "adaptive");  // so all queues exist
  spec.switches.scheme = choose(schemes(), "dbbm", {{"queues", 60'000}});
  spec.switches.queue_memory = Bytes{64};
  EXPECT_THAT(mistakes_of(spec),
              StartsWith("network.topology: this network with scheme \"dbbm\" needs about "));
}

TEST(Memory, FollowsTheQueuesThatTrafficCanReach) {
  EventSpec spec = small();
  spec.network.topology = choose(topologies(), "k-ary-n-tree", {{"k", 4}, {"n", 4}});
  spec.switches.queue_memory = Bytes{64};
  const auto queues_of = [&] {
    const Graph graph = spec.network.topology->build(spec.network.link);
    return Network(graph, spec.routing.algorithm->build(graph), spec.switches.scheme->build(graph), {})
        .queues;
  };
  spec.switches.scheme = choose(schemes(), "1q");
  const std::uint64_t one = test::memory_need(spec).start, queues_one = queues_of();
  spec.switches.scheme = choose(schemes(), "voqnet");
  const std::uint64_t all = test::memory_need(spec).start, queues_all = queues_of();
  const double bytes_per_queue =
      static_cast<double>(all - one) / static_cast<double>(queues_all - queues_one);
  // a queue, its credits and the pointer of its group, the search for deadlocks, and which queues there are
  EXPECT_GE(bytes_per_queue, 36);
  EXPECT_LE(bytes_per_queue, 48);
}

// Nothing acts on what is in an injection queue, so sources that react have room for one packet there.
TEST(Memory, OfInjectionIsShortWhereSourcesReact) {
  EventSpec spec = small();
  const auto packets_per_queue = [&] { return build(spec).network.injection_capacity; };
  EXPECT_EQ(packets_per_queue(), build(spec).network.capacity);
  spec.switches.marking = choose(markings(), "red");
  for (const char* const reaction : {"dcqcn", "dcqcn-nic"}) {
    spec.node.reaction = choose(reactions(), reaction);
    EXPECT_EQ(packets_per_queue(), 1U) << reaction;
  }
  spec.node.injection_memory = Bytes{4 * 3 * spec.traffic.packet.count};
  EXPECT_EQ(packets_per_queue(), 3U);
  spec.node.injection_memory.reset();
  spec.switches.marking = choose(markings(), "none");
  for (const char* const reaction : {"timely", "window"}) {
    spec.node.reaction = choose(reactions(), reaction);
    EXPECT_EQ(packets_per_queue(), 1U) << reaction;
  }
}

TEST(Tick, DividesEveryDuration) {
  EventSpec spec = small();
  const auto tick = [&] {
    Mistakes mistakes;
    const std::optional<Duration> found = tick_of(spec, {spec.network.link}, mistakes);
    EXPECT_TRUE(mistakes.empty());
    return found.value_or(Duration{0});
  };
  EXPECT_EQ(tick(), Duration{1});
  spec.network.link.rate = {{3, 2}};
  EXPECT_EQ(tick(), (Duration{{2, 3}}));
  spec.network.link.delay = {1};
  EXPECT_EQ(tick(), (Duration{{1, 3}}));
  spec.traffic.flows[0].start = Duration{{1, 2}};
  EXPECT_EQ(tick(), (Duration{{1, 6}}));
  EXPECT_EQ(ticks(Duration{4}, tick()), 24);
  spec.network.link.rate = *parse_rate("10 GiB/s");
  EXPECT_EQ(tick(), (Duration{{1, 1 << 22}}));
}

}  // namespace
}  // namespace headway
