// SPDX-License-Identifier: Apache-2.0
// The critical paths of random jobs and what the packets on them wait for, beside the naive interpreter and
// the accounts of the reference simulator.
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <numeric>

#include "headway/metrics/path_parts.h"
#include "headway/run/critical_path.h"
#include "tests/reference/reference.h"
#include "tests/reference/setup.h"
#include "tests/support/random_case.h"
#include "tests/support/random_program.h"

namespace headway {

void PrintTo(const PathStep& step, std::ostream* out) {
  *out << "[" << step.begin << ", " << step.end << ") kind " << static_cast<int>(step.kind) << " op "
       << step.op << " iteration " << step.iteration << " node " << step.node << " serial " << step.serial;
}

namespace {

using PathAccount = std::array<Tick, kWaitings>;  // [Waiting]

// How many steps waited for what, over all cases: a test that sees none of a class proves nothing.
struct Seen {
  std::array<std::uint64_t, 6> steps{};  // [StepKind]
  PathAccount waited{};
  Tick own = 0;
  std::array<Tick, 6> parts{};  // of transfers
};

// What the packet of a step waits for, and the links that it has crossed, by the reference simulator.
struct NaiveStep {
  PathAccount waited{};
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

// The rate that most links have which lead from a device like the sender of this one to one like its
// receiver.
std::uint32_t naive_usual_rate(const Network& network, PortId link) {
  const Graph& graph = network.graph;
  const auto links_of = [&](SwitchId sw) {
    std::uint32_t links = 0;
    for (PortId port = 0; port < graph.switch_ports(); ++port)
      links += graph.switch_of(port) == sw && graph.peer_of(port) != kNone;
    return links;
  };
  // By repeated relaxation from the switches that send to nodes.
  std::vector<int> distance(graph.switches(), 1 << 20);
  for (std::uint32_t round = 0; round <= graph.switches(); ++round)
    for (PortId port = 0; port < graph.switch_ports(); ++port) {
      if (graph.peer_of(port) == kNone) continue;
      int& here = distance[graph.switch_of(port)];
      const PortId peer = graph.peer_of(port);
      here = std::min(here, graph.is_node_port(peer) ? 0 : distance[graph.switch_of(peer)] + 1);
    }
  const auto like = [&](PortId a, PortId b) {
    if (graph.is_node_port(a) || graph.is_node_port(b)) return graph.is_node_port(a) && graph.is_node_port(b);
    const SwitchId one = graph.switch_of(a), other = graph.switch_of(b);
    if (graph.stages() > 0) return graph.stage_of(one) == graph.stage_of(other);
    return distance[one] == distance[other] && links_of(one) == links_of(other);
  };
  std::map<std::uint32_t, std::uint32_t> links;  // of ticks per byte
  for (PortId port = 0; port < graph.ports(); ++port)
    if (graph.peer_of(port) != kNone && like(port, link) && like(graph.peer_of(port), graph.peer_of(link)))
      ++links[network.ports[network.link_port(port)].ticks_per_byte];
  std::uint32_t usual = 0;
  for (const auto& [ticks, count] : links)
    if (usual == 0 || count > links[usual]) usual = ticks;
  return usual;
}

// The parts of a transfer, one formula each: docs/programs.md, "The critical path".
std::array<Tick, 6> naive_parts(const Network& network, const Job& job, const PathStep& step, Tick transfer,
                                const std::vector<PortId>& links) {
  const bool is_control = step.kind == StepKind::request || step.kind == StepKind::clearance;
  const auto bytes = static_cast<Tick>(
      is_control ? job.control_bytes : std::max<std::uint64_t>(job.program->ops[step.op].amount, 1));
  std::vector<Tick> usual, actual;
  Tick delays = 0;
  for (const PortId link : links) {
    usual.push_back(naive_usual_rate(network, link));
    actual.push_back(network.ports[network.link_port(link)].ticks_per_byte);
    delays += network.ports[network.link_port(link)].delay;
  }
  const bool leaves = step.kind == StepKind::departure;
  const Tick of_nodes = leaves ? usual.front() : std::max(usual.front(), usual.back());
  const Tick whole[] = {
      bytes * of_nodes, bytes * std::ranges::max(usual),
      bytes * std::max(std::ranges::max(usual), std::ranges::max(actual)), leaves ? 0 : delays,
      leaves ? 0 : (static_cast<Tick>(links.size()) - 1) * static_cast<Tick>(network.routing_delay)};
  const Tick at_nodes = std::min(transfer, whole[0]), with_narrow = std::min(transfer, whole[1]),
             with_slow = std::min(transfer, whole[2]), with_delays = std::min(transfer, with_slow + whole[3]),
             with_switches = std::min(transfer, with_delays + whole[4]);
  return {at_nodes,
          with_narrow - at_nodes,
          with_slow - with_narrow,
          with_delays - with_slow,
          with_switches - with_delays,
          transfer - with_switches};
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
      PathAccount account{};
      for (const auto& [wait, ticks] : path.steps[i].waits) {
        account[static_cast<std::size_t>(wait.waiting)] += ticks;
        seen.waited[static_cast<std::size_t>(wait.waiting)] += ticks;
        if (wait.own) seen.own += ticks;
      }
      const WatchedStep& step = path.steps[i];
      EXPECT_EQ(account, naive_of[i].waited) << "step " << i << ": " << testing::PrintToString(steps[i]);
      if (step.is_turn()) continue;
      const TransferParts parts = split.parts_of(job, step);
      const std::array<Tick, 6> all = {parts.serialisation, parts.narrow,    parts.slow,
                                       parts.propagation,   parts.switching, parts.rest};
      const Tick transfer = step.length() - step.waited();
      EXPECT_EQ(std::accumulate(all.begin(), all.end(), Tick{0}), transfer);
      if (step.step.node == kNone) continue;
      std::vector<PortId> crossed = naive_of[i].crossed;
      if (step.step.kind == StepKind::departure) crossed = {c.network.graph.node_port(step.step.node)};
      EXPECT_EQ(step.links, crossed) << "step " << i << ": " << testing::PrintToString(steps[i]);
      EXPECT_EQ(all, naive_parts(c.network, job, steps[i], transfer, crossed));
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

TEST(CriticalPath, AgreesInRandomNetworks) { expect_paths_agree(test::random_case, test::soaked_cases(300)); }
TEST(CriticalPath, AgreesInRandomNetworksWithIsolation) {
  expect_paths_agree(test::random_isolation_case, test::soaked_cases(150));
}

}  // namespace
}  // namespace headway
