// SPDX-License-Identifier: Apache-2.0
// The reference simulator keeps an account for every packet: how many ticks it waited in each class, from its
// generation to its delivery. Photographs of the engine in every tick must add up to these accounts exactly.
// Photographs at drawn instants must estimate them within the sampling error, whose variance follows from the
// accounts.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "headway/engine/simulation.h"
#include "headway/observe/observer.h"
#include "tests/reference/reference.h"
#include "tests/reference/setup.h"
#include "tests/reference/transfers.h"
#include "tests/support/random_case.h"
#include "tests/support/random_program.h"

namespace headway {
namespace {

constexpr Tick kPhotographsTaken = 300;  // per network, at drawn instants

using Account = std::array<std::uint64_t, kWaitings>;  // [Waiting] ticks

struct Accounts {
  std::map<std::pair<NodeId, std::uint32_t>, Account> of;  // source, serial
  std::vector<Account> in_tick;                            // [tick] packets in each class, from tick 1 on
  Account all{};
};

Accounts keep_accounts(const test::RandomCase& c, std::uint64_t seed, Tick end) {
  const reference::Setup setup = reference::setup_of(c.network);
  reference::Reference naive(setup, c.workload, seed);
  Accounts accounts;
  std::map<std::pair<NodeId, std::uint32_t>, Tick> generated;
  for (Tick tick = 1; tick <= end; ++tick) {
    naive.run_until(tick);
    Account& now = accounts.in_tick.emplace_back();
    naive.for_each_packet([&](const reference::Reference::Looked& looked) {
      const std::pair key(looked.packet.source, looked.packet.serial);
      const auto waiting = static_cast<std::size_t>(looked.waiting);
      generated[key] = looked.packet.generated;
      ++accounts.of[key][waiting];
      ++now[waiting];
      ++accounts.all[waiting];
    });
  }
  // checks each packet, not only the sum over packets
  for (const Delivery& d : naive.deliveries()) {
    const std::pair key(d.source, d.serial);
    const Account& account = accounts.of[key];
    EXPECT_EQ(std::accumulate(account.begin(), account.end(), Tick{0}), d.tick - generated[key])
        << "packet " << d.serial << " of node " << d.source;
  }
  return accounts;
}

// The variance of the estimated sum over all ticks, where one tick of each interval is drawn.
double variance_of_drawing(const std::vector<Account>& in_tick, std::size_t waiting, Tick interval) {
  const auto n = static_cast<double>(interval);
  double variance = 0;
  for (std::size_t first = 0; first < in_tick.size(); first += static_cast<std::size_t>(interval)) {
    double sum = 0, squares = 0;
    for (std::size_t t = first; t < first + static_cast<std::size_t>(interval); ++t) {
      const auto packets = static_cast<double>(in_tick[t][waiting]);
      sum += packets;
      squares += packets * packets;
    }
    variance += n * squares - sum * sum;
  }
  return variance;
}

PhotographSums photographs(const test::RandomCase& c, std::uint64_t seed, Tick interval, Tick end) {
  const auto simulation = make_simulation(c.network, c.workload, {.seed = seed});
  Observer observer(c.network, seed, interval, kNone);
  while (observer.next() <= end) {
    simulation->run_until(observer.next());
    observer.look(*simulation);
  }
  return observer.sums();
}

// Errors in units of their standard deviations.
struct Scores {
  double number = 0, squares = 0, worst = 0;
};

void compare(const test::RandomCase& c, std::uint64_t seed, Scores& scores) {
  const Tick interval = std::max<Tick>(c.end / kPhotographsTaken, 2);
  const Tick end = c.end / interval * interval;
  const Accounts accounts = keep_accounts(c, seed, end);
  EXPECT_EQ(photographs(c, seed, 1, end).packets, accounts.all);
  const PhotographSums some = photographs(c, seed, interval, end);
  for (std::size_t waiting = 0; waiting < kWaitings; ++waiting) {
    const double error = static_cast<double>(some.packets[waiting]) * static_cast<double>(interval) -
                         static_cast<double>(accounts.all[waiting]);
    const double deviation = std::sqrt(variance_of_drawing(accounts.in_tick, waiting, interval));
    if (deviation == 0) {
      EXPECT_EQ(error, 0);
      continue;
    }
    ++scores.number;
    scores.squares += error / deviation * error / deviation;
    scores.worst = std::max(scores.worst, std::abs(error) / deviation);
  }
}

void expect_accounts_agree(test::RandomCase (*random_case)(std::uint64_t, test::Memory)) {
  constexpr std::uint64_t kCases = 20;
  Scores scores;
  for (std::uint64_t number = 0; number < kCases && !testing::Test::HasFailure(); ++number) {
    const test::RandomCase c = random_case(number, test::Memory::slots);
    SCOPED_TRACE("case " + std::to_string(number) + ": " + c.description);
    compare(c, number, scores);
  }
  EXPECT_GT(scores.number, 4 * kCases);  // pairs of network and class that had packets
  EXPECT_LT(scores.worst, 4);
  EXPECT_NEAR(scores.squares / scores.number, 1, 3 * std::sqrt(2 / scores.number));
}

// The transit of the packets of each generator, by the links that the reference simulator sees them cross.
// Exact if the routes tell the path of every packet, also where rates differ; otherwise photographs in every
// tick see it.
struct Transits {
  std::vector<reference::Parts> of_delivered;  // [generator] of packets that are delivered before the end
  std::vector<Tick> ticks;                     // [generator] of all packets, before the end
  std::vector<Tick> of_others;                 // [generator] of those that are not delivered then
};

Transits naive_transits(const test::RandomCase& c, std::uint64_t seed, Tick end) {
  const reference::Setup setup = reference::setup_of(c.network);
  reference::Reference naive(setup, c.workload, seed);
  struct Followed {
    std::uint32_t generator = 0;
    Tick transit = 0;
    std::vector<PortId> crossed;
  };
  std::map<std::pair<NodeId, std::uint32_t>, Followed> packets;  // source, serial
  for (Tick tick = 1; tick <= end; ++tick) {
    naive.run_until(tick);
    naive.for_each_packet([&](const reference::Reference::Looked& looked) {
      Followed& followed = packets[{looked.packet.source, looked.packet.serial}];
      followed.generator = looked.packet.generator;
      followed.transit += looked.waiting == Waiting::transit ? 1 : 0;
      followed.crossed = looked.packet.crossed;
    });
  }
  const std::uint32_t generators = c.workload.generators();
  Transits all{std::vector<reference::Parts>(generators), std::vector<Tick>(generators),
               std::vector<Tick>(generators)};
  for (const auto& [key, followed] : packets) {
    all.ticks[followed.generator] += followed.transit;
    all.of_others[followed.generator] += followed.transit;
  }
  for (const Delivery& d : naive.deliveries()) {
    if (d.tick >= end) continue;
    const Followed& followed = packets[{d.source, d.serial}];
    all.of_others[d.generator] -= followed.transit;
    const reference::Parts parts = reference::parts_of(c.network, c.network.framing().frame(d.bytes),
                                                       followed.crossed, followed.transit);
    for (std::size_t part = 0; part < parts.size(); ++part)
      all.of_delivered[d.generator][part] += parts[part];
  }
  return all;
}

struct TransitsSeen {
  std::uint64_t known = 0, by_photographs = 0;
  reference::Parts parts{};
};

void compare_transits(const test::RandomCase& c, std::uint64_t seed, TransitsSeen& seen) {
  const Transits naive = naive_transits(c, seed, c.end);
  FlowNumbers numbers(c.workload, std::vector<std::uint32_t>(c.workload.flows.size()));
  numbers.flows = c.workload.generators();
  numbers.of_generator.resize(numbers.flows);
  std::iota(numbers.of_generator.begin(), numbers.of_generator.end(), 0U);
  Observer observer(c.network, seed, 1, kNone, std::make_unique<FlowCensus>(c.network, numbers, false, seed));
  FlowCensus& census = *observer.census();
  const auto simulation =
      make_simulation(c.network, c.workload,
                      {.seed = seed,
                       .count_by_generator = true,
                       .deliveries = [&](std::span<const Delivery> deliveries) { census.count(deliveries); },
                       .keep_sent = true});
  while (!census.knows_transit() && observer.next() <= c.end) {
    simulation->run_until(observer.next());
    observer.look(*simulation);
  }
  simulation->run_until(c.end);
  ++(census.knows_transit() ? seen.known : seen.by_photographs);
  for (std::uint32_t generator = 0; generator < numbers.flows; ++generator) {
    SCOPED_TRACE(generator);
    const reference::Parts here = reference::listed(census.transits()[generator]);
    const reference::Parts& there = naive.of_delivered[generator];
    for (std::size_t part = 0; part < here.size(); ++part) seen.parts[part] += here[part];
    if (census.knows_transit()) {
      EXPECT_EQ(here, there);
      continue;
    }
    EXPECT_EQ(census.transits()[generator].whole(), naive.ticks[generator]);
    for (std::size_t part = 0; part < here.size() && !c.network.links_differ; ++part) {
      EXPECT_GE(here[part], there[part]) << part;
      EXPECT_LE(here[part], there[part] + naive.of_others[generator]) << part;
    }
  }
}

void expect_transits_agree(test::RandomCase (*random_case)(std::uint64_t, test::Memory),
                           std::uint64_t cases) {
  TransitsSeen seen;
  for (std::uint64_t number = 0; number < cases && !testing::Test::HasFailure(); ++number) {
    const test::RandomCase c =
        random_case(number, number % 4 == 3 ? test::Memory::cells : test::Memory::slots);
    SCOPED_TRACE("case " + std::to_string(number) + ": " + c.description);
    compare_transits(c, number, seen);
  }
  EXPECT_GT(seen.known, 10U);
  for (std::size_t part = 0; part < seen.parts.size(); ++part) EXPECT_GT(seen.parts[part], 0) << part;
  if (random_case == test::random_case) EXPECT_GT(seen.by_photographs, 10U);
}

TEST(Transits, AgreeInRandomNetworks) { expect_transits_agree(test::random_case, test::soaked_cases(75)); }
TEST(Transits, AgreeInRandomNetworksWithIsolation) {
  expect_transits_agree(test::random_isolation_case, test::soaked_cases(50));
}

TEST(Accounts, RandomNetworks) { expect_accounts_agree(test::random_case); }
TEST(Accounts, RandomNetworksWithIsolation) { expect_accounts_agree(test::random_isolation_case); }
TEST(Accounts, RandomNetworksWithOverflowQueues) { expect_accounts_agree(test::random_overflow_case); }

}  // namespace
}  // namespace headway
