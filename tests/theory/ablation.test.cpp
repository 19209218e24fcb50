// SPDX-License-Identifier: Apache-2.0
// Removing a hot flow must remove the waiting that was charged to its roots. The other flows send the same
// packets at the same ticks with and without the hot flow, until all are delivered. So the fall of their
// latency is known exactly for each packet, and photographs show the waiting that was charged.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "headway/compile/build.h"
#include "headway/config/assign.h"
#include "headway/observe/observer.h"
#include "tests/support/hand_made.h"

namespace headway {
namespace {

constexpr std::int64_t kStop = 100'000, kInterval = 200;  // ns
constexpr std::uint32_t kHot = 0, kOthers = 1;            // flows

// `hot` nodes send only to `destination`; all others send to random nodes at `load`.
EventSpec with_hot_flow(const Choice<Topology>& topology, const char* scheme, std::vector<std::int64_t> hot,
                        std::int64_t destination, double load) {
  EventSpec spec;
  spec.network.topology = topology;
  spec.network.link = {Rate{1}, Duration{4}};
  spec.switches.scheme = choose(schemes(), scheme);
  FlowSpec culprit;
  culprit.sources = {.kind = NodeSet::Kind::nodes, .nodes = std::move(hot)};
  culprit.pattern = choose(patterns(), "hotspot", {{"destination", destination}});
  culprit.load = {.points = {{Duration{0}, 0.5}}};  // twice the rate that the destination can receive
  FlowSpec& others = spec.traffic.flows.front();
  others.sources.kind = NodeSet::Kind::rest;
  others.load = {.points = {{Duration{0}, load}}};
  spec.traffic.flows.insert(spec.traffic.flows.begin(), culprit);
  for (FlowSpec& flow : spec.traffic.flows) flow.stop = Duration{kStop};
  spec.measure.warmup = Duration{0};
  spec.observe.waiting = true;
  spec.observe.interval = Duration{kInterval};
  return spec;
}

struct Seen {
  std::map<std::pair<NodeId, std::uint32_t>, Delivery> delivered;  // of the others, by source and serial
  std::vector<std::uint64_t> victims_to;                           // [destination]
  std::map<std::pair<std::uint32_t, Root>, FlowCensus::AtRoot> at_roots;
  double ticks_per_photograph = 0;
};

Seen simulate(const EventSpec& spec) {
  const Model model = build(spec);
  const FlowNumbers& numbers = model.flows;
  std::vector<Delivery> deliveries;
  const auto simulation = make_simulation(model.network, model.workload,
                                          {.seed = spec.seed,
                                           .count_by_generator = true,
                                           .deliveries = append_to(deliveries),
                                           .keep_sent = true});
  Observer observer(model.network, spec.seed, model.interval, kNone,
                    std::make_unique<FlowCensus>(model.network, numbers, false, spec.seed));
  const Record& record = simulation->record();
  const auto stop = static_cast<Tick>(static_cast<double>(kStop) / model.network.ns(1));
  for (Tick now = 0; now <= stop || record.waiting_packets + record.packets_in_network > 0;) {
    now = observer.next();
    simulation->run_until(now);
    observer.look(*simulation);
  }
  Seen seen{{}, observer.sums().victims_to, observer.census()->roots(), static_cast<double>(model.interval)};
  for (const Delivery& d : deliveries)
    if (numbers.of_generator[d.generator] == kOthers) seen.delivered[{d.source, d.serial}] = d;
  return seen;
}

struct Ablation {
  double fall = 0;     // of the latency of the others, in ticks, summed over packets
  double charged = 0;  // of their waiting for roots that the hot flow crosses
  double per_packet = 0;
  // For packets to other destinations than the hot flow's: the fall of their latency and of their waiting as
  // victims.
  double fall_elsewhere = 0;
  double victims_elsewhere = 0;
};

NodeId hot_destination(const EventSpec& spec) {
  Rng unused(0, 0);
  return spec.traffic.flows[kHot]
      .pattern->build(static_cast<std::uint32_t>(spec.network.topology->nodes()), 1)
      ->next(0, unused);
}

Ablation ablate(const EventSpec& spec) {
  EventSpec cool = spec;  // the flow stays, so that the others keep their sources and draws
  cool.traffic.flows[kHot].load = {.points = {{Duration{0}, 1e-9}}};
  const Seen with = simulate(spec), without = simulate(cool);
  Ablation result;
  EXPECT_EQ(with.delivered.size(), without.delivered.size());
  const NodeId hot_node = hot_destination(spec);
  for (const auto& [packet, delivery] : without.delivered) {
    const auto fall = static_cast<double>(with.delivered.at(packet).tick - delivery.tick);
    result.fall += fall;
    if (delivery.destination != hot_node) result.fall_elsewhere += fall;
  }
  for (NodeId node = 0; node < with.victims_to.size(); ++node)
    if (node != hot_node)
      result.victims_elsewhere +=
          (static_cast<double>(with.victims_to[node]) - static_cast<double>(without.victims_to[node])) *
          with.ticks_per_photograph;
  for (const auto& [key, hot] : with.at_roots) {
    if (key.first != kHot || hot.packets == hot.victims) continue;  // the hot flow does not cross this root
    const Root root = key.second;
    const auto charge = [&](const Seen& seen, double factor) {
      const auto found = seen.at_roots.find({kOthers, root});
      if (found == seen.at_roots.end()) return;
      result.charged += factor * static_cast<double>(found->second.packets) * seen.ticks_per_photograph;
    };
    charge(with, 1);
    charge(without, -1);
  }
  result.per_packet = result.fall / static_cast<double>(without.delivered.size());
  return result;
}

struct Case {
  std::string name;
  std::function<EventSpec(const char* scheme)> spec;
};

std::vector<Case> cases() {
  const auto tree = [](const char* scheme) {
    return with_hot_flow(choose(topologies(), "k-ary-n-tree", {{"k", 4}, {"n", 2}}), scheme, {0, 5, 10, 15},
                         3, 0.2);
  };
  const auto chain = [](const char* scheme) {
    EventSpec spec = with_hot_flow(
        choose(topologies(), "mesh", {{"sides", std::vector<std::int64_t>{6}}, {"nodes_per_switch", 3}}),
        scheme, {0, 3, 6, 9}, 17, 0.08);
    spec.routing.algorithm = choose(routings(), "dor");
    return spec;
  };
  const auto mesh = [](const char* scheme) {  // the network of the DBBM paper
    EventSpec spec = with_hot_flow(
        choose(topologies(), "mesh", {{"sides", std::vector<std::int64_t>{4, 4}}, {"nodes_per_switch", 4}}),
        scheme, {3, 17, 33, 62}, 30, 0.2);
    spec.routing.algorithm = choose(routings(), "dor");
    spec.switches.architecture = Architecture::cioq;
    spec.switches.crossbar_speedup = 1.5;
    return spec;
  };
  return {{"tree", tree}, {"chain", chain}, {"mesh", mesh}};
}

// If the hot flow congests the network, the waiting charged to its roots is at most the latency that its
// removal saves, and at least three quarters of it; the rest is waiting for roots that arise behind the
// congestion. Two fifths or more of what packets to other destinations lose is waiting as victims. Some of
// them cross a root and compete with the hot flow for it, so the waiting of victims is a lower bound of the
// flow's cost.
TEST(Ablation, TheWaitingForTheRootsOfAFlowGoesWithIt) {
  for (const Case& one : cases())
    for (const char* scheme : {"1q", "dbbm", "obqa", "voqsw"}) {
      SCOPED_TRACE(one.name + ", " + scheme);
      const Ablation seen = ablate(one.spec(scheme));
      RecordProperty(one.name + "_" + scheme + "_charged", std::to_string(seen.charged / seen.fall));
      RecordProperty(one.name + "_" + scheme + "_victims",
                     std::to_string(seen.victims_elsewhere / seen.fall_elsewhere));
      EXPECT_GT(seen.charged / seen.fall, 0.75);
      EXPECT_LT(seen.charged / seen.fall, 1.01);
      EXPECT_GT(seen.victims_elsewhere / seen.fall_elsewhere, 0.4);
      EXPECT_LT(seen.victims_elsewhere / seen.fall_elsewhere, 1);
    }
}

// With a queue per destination the hot flow has no victims. The others lose only where they share links with
// it, far less than with one queue.
TEST(Ablation, WithAQueuePerDestinationThereAreNoVictims) {
  for (const Case& one : cases()) {
    SCOPED_TRACE(one.name);
    const Ablation separate = ablate(one.spec("voqnet"));
    EXPECT_EQ(separate.victims_elsewhere, 0);
    EXPECT_LT(separate.fall, 0.05 * ablate(one.spec("1q")).fall);
  }
}

}  // namespace
}  // namespace headway
