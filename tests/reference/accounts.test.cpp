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
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "headway/engine/simulation.h"
#include "headway/observe/observer.h"
#include "tests/reference/reference.h"
#include "tests/reference/setup.h"
#include "tests/support/random_case.h"

namespace headway {
namespace {

constexpr Tick kPhotographs = 300;  // per network, at drawn instants

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
  const Tick interval = std::max<Tick>(c.end / kPhotographs, 2);
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

TEST(Accounts, RandomNetworks) { expect_accounts_agree(test::random_case); }
TEST(Accounts, RandomNetworksWithIsolation) { expect_accounts_agree(test::random_isolation_case); }
TEST(Accounts, RandomNetworksWithOverflowQueues) { expect_accounts_agree(test::random_overflow_case); }

}  // namespace
}  // namespace headway
