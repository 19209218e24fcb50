// SPDX-License-Identifier: Apache-2.0
// The critical paths of random jobs and what the packets on them wait for, beside the naive interpreter and
// the accounts of the reference simulator.
#include <gtest/gtest.h>

#include <array>
#include <numeric>

#include "headway/metrics/path_parts.h"
#include "headway/run/critical_path.h"
#include "tests/reference/reference.h"
#include "tests/reference/setup.h"
#include "tests/reference/transfers.h"
#include "tests/support/random_case.h"
#include "tests/support/random_program.h"

namespace headway {

void PrintTo(const PathStep& step, std::ostream* out) {
  *out << "[" << step.begin << ", " << step.end << ") kind " << static_cast<int>(step.kind) << " op "
       << step.op.number << " of rank " << step.op.rank << " iteration " << step.iteration << " node "
       << step.node << " serial " << step.serial;
}

namespace {

using TicksOfPath = std::array<Tick, kWaitings>;  // [Waiting]

// How many steps waited for what, over all cases: a test that sees none of a class proves nothing.
struct Seen {
  std::array<std::uint64_t, 6> steps{};  // [StepKind]
  TicksOfPath waited{};
  Tick own = 0;
  reference::Parts parts{};  // of transfers
};

// What the packet of a step waits for, and the links that it has crossed, by the reference simulator.
struct NaiveStep {
  TicksOfPath waited{};
  std::vector<PortId> crossed;
};
std::vector<NaiveStep> naive_steps(const test::RandomCase& c, std::uint64_t seed,
                                   const std::vector<PathStep>& steps) {
  const reference::Setup setup = reference::setup_of(c.network);
  reference::Reference naive(setup, c.workload, seed);
  std::vector<NaiveStep> accounts(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const PathStep& step = steps[i];
    if (step.node == kNone) continue;
    for (Tick tick = step.begin; tick < step.end; ++tick) {
      naive.run_until(tick + 1);
      naive.for_each_packet([&](const reference::Reference::Looked& looked) {
        if (looked.packet.source != step.node || looked.packet.serial != step.serial) return;
        accounts[i].crossed = looked.packet.crossed;
        if (step.kind == StepKind::departure && !looked.packet.crossed.empty()) return;
        if (looked.waiting != Waiting::transit)
          ++accounts[i].waited[static_cast<std::size_t>(looked.waiting)];
      });
    }
  }
  return accounts;
}

std::uint64_t naive_bytes(const Job& job, const PathStep& step) {
  const bool is_control = step.kind == StepKind::request || step.kind == StepKind::clearance;
  return is_control ? job.control_bytes : std::max<std::uint64_t>(job.program->operation(step.op).amount, 1);
}

void compare(const test::RandomCase& c, std::uint64_t seed, Seen& seen) {
  const reference::Setup setup = reference::setup_of(c.network);
  reference::Reference naive(setup, c.workload, seed);
  naive.run_until(c.end);
  const auto first = make_simulation(c.network, c.workload, {.seed = seed, .kept_of_jobs = {.causes = true}});
  first->run_until(c.end);
  const auto again = make_simulation(c.network, c.workload, {.seed = seed, .keep_sent = true});
  std::vector<std::uint32_t> each(c.workload.flows.size());
  std::iota(each.begin(), each.end(), 0U);
  const FlowNumbers flows(c.workload, each);
  const JobsOfRun run{c.network, c.workload, first->jobs()};
  const RunOptions options;
  Drive drive(*again, c.network, {}, options, {}, [] { return 0.0; });
  const std::vector<CriticalPath> paths = watch_critical_paths(run, flows, drive, seed);
  for (const CriticalPath& path : paths) {
    const Job& job = c.workload.jobs[path.job];
    std::vector<PathStep> steps;
    for (const WatchedStep& watched : path.steps) steps.push_back(watched.step);
    ASSERT_EQ(steps, naive.jobs().critical_path(path.job));
    Tick at = job.start;
    for (const PathStep& step : steps) {
      EXPECT_EQ(step.begin, at);
      at = step.end;
      ++seen.steps[static_cast<std::size_t>(step.kind)];
    }
    EXPECT_EQ(at, first->jobs().record(path.job).finish);
    const std::vector<NaiveStep> naive_of = naive_steps(c, seed, steps);
    const TransferSplit split(c.network);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      TicksOfPath account{};
      for (const auto& [wait, ticks] : path.steps[i].waits) {
        account[static_cast<std::size_t>(wait.waiting)] += ticks;
        seen.waited[static_cast<std::size_t>(wait.waiting)] += ticks;
        if (wait.own) seen.own += ticks;
      }
      const WatchedStep& step = path.steps[i];
      EXPECT_EQ(account, naive_of[i].waited) << "step " << i << ": " << testing::PrintToString(steps[i]);
      if (step.is_turn()) continue;
      const TransferParts parts = parts_of(split, job, step);
      const reference::Parts all = reference::listed(parts);
      const Tick transfer = step.length() - step.waited();
      EXPECT_EQ(std::accumulate(all.begin(), all.end(), Tick{0}), transfer);
      if (step.step.node == kNone) continue;
      std::vector<PortId> crossed = naive_of[i].crossed;
      if (step.step.kind == StepKind::departure) crossed = {c.network.graph.node_port(step.step.node)};
      EXPECT_EQ(step.links, crossed) << "step " << i << ": " << testing::PrintToString(steps[i]);
      EXPECT_EQ(all, reference::parts_of(c.network, naive_bytes(job, steps[i]), crossed, transfer,
                                         steps[i].kind == StepKind::departure));
      for (std::size_t part = 0; part < all.size(); ++part) seen.parts[part] += all[part];
    }
  }
}

// As many cases under a sanitizer, because fewer do not see every class.
void expect_paths_agree(test::RandomCase (*random_case)(std::uint64_t, test::Memory), std::uint64_t cases) {
  Seen seen;
  for (std::uint64_t number = 0; number < cases && !testing::Test::HasFailure(); ++number) {
    test::RandomCase c = random_case(number, number % 4 == 3 ? test::Memory::cells : test::Memory::slots);
    if (c.network.admittance_limit != UINT64_MAX) continue;
    c.end *= 4;  // so that most jobs end
    if (number % 3 == 0) {
      c.workload.flows.clear();
      c.workload.sources.clear();
    }
    std::string jobs;
    for (std::uint64_t job = 0; job <= number % 2; ++job) {
      test::RandomJob random = test::random_job(number * 3 + job, c.network, number % 5 == 0 ? 4 : 2);
      c.workload.jobs.push_back(std::move(random.job));
      jobs += "\n  job: " + random.description;
    }
    SCOPED_TRACE("case " + std::to_string(number) + ": " + c.description + jobs);
    compare(c, number, seen);
  }
  for (const StepKind kind :
       {StepKind::turn, StepKind::data, StepKind::departure, StepKind::request, StepKind::clearance})
    EXPECT_GT(seen.steps[static_cast<std::size_t>(kind)], 0) << static_cast<int>(kind);
  for (std::size_t waiting = 1; waiting < kWaitings; ++waiting)
    if (waiting < static_cast<std::size_t>(Waiting::limited)) EXPECT_GT(seen.waited[waiting], 0) << waiting;
  EXPECT_GT(seen.own, 0);
  for (std::size_t part = 0; part < seen.parts.size(); ++part) EXPECT_GT(seen.parts[part], 0) << part;
}

TEST(CriticalPath, AgreesInRandomNetworks) { expect_paths_agree(test::random_case, test::soaked_cases(150)); }
TEST(CriticalPath, AgreesInRandomNetworksWithIsolation) {
  expect_paths_agree(test::random_isolation_case, test::soaked_cases(75));
}

}  // namespace
}  // namespace headway
