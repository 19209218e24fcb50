// SPDX-License-Identifier: Apache-2.0
// Overloaded nodes keep a window of their messages and regenerate the rest (engine/tails.h). Random specs
// give the same results with a window of one message, with shares of a small memory and with all messages in
// memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "headway/compile/build.h"
#include "headway/config/assign.h"
#include "headway/engine/simulation.h"
#include "headway/run/hooks.h"
#include "headway/run/run.h"
#include "tests/support/random_spec.h"

namespace headway {
namespace {

constexpr KeptMessages kEverything{.of_queue = UINT32_MAX};
constexpr KeptMessages kShares{.of_queue = 2, .of_run = 500};
constexpr KeptMessages kOne{.of_queue = 1, .of_run = 0};

// The spec with this number at a high load, measured long enough for messages to wait.
EventSpec crowded_spec(std::uint64_t number) {
  EventSpec spec = test::random_spec(number).spec;
  for (FlowSpec& flow : spec.traffic.flows)
    for (LoadSpec::Point& point : flow.load.points)
      if (number % 4 != 0) point.load = std::min(1.0, flow.arrivals->max_load());
  // most specs have no admittance limit, because a limit bounds the backlog
  if (number % 8 != 0) spec.node.admittance_limit.reset();
  spec.measure.warmup = Duration{0};
  spec.measure.duration = Duration{3000};
  spec.measure.bin = Duration{100};
  spec.observe.waiting = number % 2 == 0 && spec.routing.algorithm.name != "adaptive";
  spec.observe.interval = Duration{50};
  return spec;
}

Result run_with(const EventSpec& spec, const KeptMessages& kept) {
  const RunHooks hooks{.kept_messages = kept};
  return run(spec, {.check = spec.seed % 5 == 0, .hooks = &hooks});
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

void expect_equal(const Result& a, const Result& b) {
  EXPECT_EQ(a.trace_hash, b.trace_hash);
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(a.detail, b.detail);
  ASSERT_TRUE(alike(a, b));
  for (std::size_t m = 0; m < a.metrics.size(); ++m)
    EXPECT_TRUE(same(a.metrics[m].second, b.metrics[m].second)) << a.metrics[m].first;
  for (const auto& [name, table] : a.tables)
    for (std::size_t c = 0; c < table.size(); ++c) {
      const Column &one = table[c], &other = b.table(name)[c];
      EXPECT_EQ(one.words, other.words) << name << ' ' << one.name;
      EXPECT_TRUE(std::ranges::equal(one.values, other.values, same)) << name << ' ' << one.name;
    }
}

TEST(Backlog, IsTheSameIfMessagesAreMadeAgain) {
  std::uint32_t regenerated = 0;
  std::set<std::string> shown;
  for (std::uint64_t number = 0; number < 260 && !HasFailure(); ++number) {
    const EventSpec spec = crowded_spec(number);
    SCOPED_TRACE("random_spec(" + std::to_string(number) + "): " + test::random_spec(number).description);
    const Result all = run_with(spec, kEverything);
    expect_equal(run_with(spec, kShares), all);
    const Result one = run_with(spec, kOne);
    expect_equal(one, all);
    if (one.backlog_bytes == all.backlog_bytes) continue;
    ++regenerated;
    shown.insert(std::string(name_of(spec.node.admittance)));
    if (spec.traffic.flows.size() > 1) shown.insert("several flows");
    if (spec.observe.waiting) shown.insert("observed");
    for (const FlowSpec& flow : spec.traffic.flows)
      for (const std::string_view name : {flow.arrivals.name, flow.sizes.name, flow.pattern.name})
        shown.emplace(name);
    shown.emplace(spec.switches.scheme.name);
  }
  EXPECT_GT(regenerated, 50U);
  for (const char* const name :
       {"fifo", "per-destination", "several flows", "observed", "poisson", "on-off", "periodic", "bernoulli",
        "uniform", "hotspot", "set", "fixed", "bimodal", "1q", "voqnet", "obqa", "fbicm"})
    EXPECT_TRUE(shown.contains(name)) << name;
}

// Compares counts repeatedly until the backlog has drained.
TEST(Backlog, HasTheSameCountsAtAnyTime) {
  std::uint32_t tails = 0;
  for (std::uint64_t number = 0; number < 100 && !HasFailure(); ++number) {
    EventSpec spec = crowded_spec(number);
    for (FlowSpec& flow : spec.traffic.flows) {
      if (flow.start) flow.start = Duration{100};
      flow.stop = Duration{1500};
    }
    SCOPED_TRACE("random_spec(" + std::to_string(number) + "): " + test::random_spec(number).description);
    const Model model = build(spec);
    const auto all =
        make_simulation(model.network, model.workload, {.seed = spec.seed, .kept_messages = kEverything});
    const auto few = make_simulation(model.network, model.workload,
                                     {.seed = spec.seed, .kept_messages = {.of_queue = 2, .of_run = 0}});
    for (Tick tick = 1000; tick <= 40'000; tick += 1000) {
      all->run_until(tick);
      few->run_until(tick);
      const Record &a = all->record(), &b = few->record();
      ASSERT_EQ(a.trace_hash, b.trace_hash) << tick;
      ASSERT_EQ(a.waiting_packets, b.waiting_packets) << tick;
      ASSERT_EQ(a.packets_in_network, b.packets_in_network) << tick;
      ASSERT_EQ(a.counters.bytes_generated, b.counters.bytes_generated) << tick;
      ASSERT_EQ(a.counters.latency_ticks, b.counters.latency_ticks) << tick;
      ASSERT_EQ(a.counters.events, b.counters.events) << tick;
    }
    tails += few->record().admittance_tails > 0;
  }
  EXPECT_GT(tails, 30U);
}

// The queues of a node drain at different speeds, for long enough that windows double.
TEST(Backlog, IsTheSameIfPassesTakeLong) {
  for (const Admittance admittance : {Admittance::per_destination, Admittance::fifo}) {
    EventSpec spec;
    spec.network.topology = choose(topologies(), "k-ary-n-tree", {{"k", 4}, {"n", 2}});
    spec.traffic.flows.assign(2, spec.traffic.flows[0]);
    spec.traffic.flows[0].load.points[0].load = 0.7;
    spec.traffic.flows[0].pattern = choose(patterns(), "uniform");
    spec.traffic.flows[1].load.points[0].load = 0.3;
    spec.traffic.flows[1].pattern = choose(patterns(), "hotspot", {{"destination", 5}});
    spec.node.admittance = admittance;
    spec.measure.warmup = Duration{0};
    spec.measure.duration = Duration{400'000};
    const Result all = run_with(spec, kEverything);
    const Result few = run_with(spec, {.of_queue = 32, .of_run = 0});
    expect_equal(few, all);
    const Result shares = run_with(spec, {.of_queue = 2, .of_run = 5000});
    expect_equal(shares, all);
    const Result one = run_with(spec, kOne);
    expect_equal(one, all);
    EXPECT_GT(all.metric("backlog_packets"), 20'000);
    EXPECT_LT(10 * one.backlog_bytes, all.backlog_bytes);
    EXPECT_LT(shares.backlog_bytes, (5000 * 32 + 16 * 16 * (64 + 128)) * 3 / 2);
    if (admittance == Admittance::per_destination) EXPECT_GT(shares.backlog_bytes, 4000 * 32);
  }
}

}  // namespace
}  // namespace headway
