// SPDX-License-Identifier: Apache-2.0
// Jobs do the same on several threads and in several processes as on one thread, to the last bit.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "headway/compile/build.h"
#include "headway/compile/tick.h"
#include "headway/config/assign.h"
#include "headway/engine/cut.h"
#include "headway/engine/parts.h"
#include "headway/engine/simulation.h"
#include "headway/run/processes_of_sweep.h"
#include "headway/run/run.h"
#include "tests/support/always_cut.h"
#include "tests/support/dice.h"
#include "tests/support/random_case.h"
#include "tests/support/random_program.h"
#include "tests/support/same_results.h"
#include "tests/support/thread_processes.h"

namespace headway {
namespace {

// All that a simulation of jobs tells, as text.
struct Told {
  std::vector<std::string> lines;
  std::uint32_t threads = 0;
  bool done = false;
};

std::string text_of(const PathStep& step) {
  return fmt::format("{} to {}: {} of rank {}, operation {}, iteration {}, packet {} of node {}", step.begin,
                     step.end, static_cast<int>(step.kind), step.op.rank, step.op.number, step.iteration,
                     step.serial, step.node);
}

void tell_of_job(const JobsView& jobs, std::size_t number, std::vector<std::string>& lines) {
  const JobRecord& job = jobs.record(number);
  lines.push_back(
      fmt::format("job {}: {} operations, {} messages, {} B, {} iterations, {} ticks, at most {}; "
                  "{} spans of {}, at most {}; done at {}",
                  number, job.completed, job.messages, job.bytes, job.iterations, job.iteration_sum,
                  job.longest_iteration, job.spans.count(), job.span_sum, job.spans.max(), job.finish));
  for (const IterationTimes& it : job.of_iteration)
    lines.push_back(fmt::format("iteration {} to {}", it.begin, it.end));
  for (const RankTimes& rank : job.ranks)
    lines.push_back(fmt::format("rank {} {} {} {}", rank.finish, rank.computing, rank.overhead, rank.idle));
  for (const ProgramOpTimes& op : job.ops)
    lines.push_back(fmt::format("operation {} to {}", op.start, op.finish));
  for (const std::size_t most : {3, 100})
    for (const WaitingOp& it : jobs.waiting(number, most))
      lines.push_back(fmt::format("rank {} operation {} iteration {} waits for {}", it.op.rank, it.op.number,
                                  it.iteration, static_cast<int>(it.what)));
  for (const PathStep& step : jobs.critical_path(number)) lines.push_back(text_of(step));
}

void tell_of_run(Simulation& simulation, std::vector<std::string>& lines) {
  const Record& record = simulation.record();
  const Counters& c = record.counters;
  lines.push_back(fmt::format(
      "at {}: hash {}, {} events, {} hops, {} generated, {} delivered, {} in the network, done {}, {}",
      simulation.view().now(), record.trace_hash, c.events, c.packet_hops, c.packets_generated,
      c.packets_delivered, record.packets_in_network, simulation.jobs().done(),
      simulation.jobs().completed()));
  for (std::size_t job = 0; job < simulation.jobs().size(); ++job) tell_of_job(simulation.jobs(), job, lines);
}

// With halts on the way.
Told told_of(const test::RandomCase& c, SimulationOptions options, std::uint64_t number) {
  Told told;
  std::vector<JobMessage> messages;
  options.seed = number;
  options.stop_when_done = number % 4 != 1;
  options.kept_of_jobs = {.ops = number % 3 == 0, .causes = number % 2 == 0 && options.processes == nullptr};
  options.job_messages = [&](const JobMessage& message) {
    EXPECT_TRUE(messages.empty() || messages.back().delivered <= message.delivered);
    messages.push_back(message);
  };
  const auto simulation = make_simulation(c.network, c.workload, options);
  told.threads = simulation->threads();
  for (const Tick end : {c.end / 5, c.end / 2, c.end, 4 * c.end}) {
    simulation->run_until(end);
    tell_of_run(*simulation, told.lines);
  }
  told.done = simulation->jobs().done();
  std::ranges::sort(messages);
  for (const JobMessage& message : messages)
    told.lines.push_back(fmt::format("message of job {}, rank {} operation {} iteration {}: {} to {}",
                                     message.job, message.send.rank, message.send.number, message.iteration,
                                     message.begun, message.delivered));
  return told;
}

std::string difference(const Told& one, const Told& other) {
  const auto [here, there] =
      std::mismatch(one.lines.begin(), one.lines.end(), other.lines.begin(), other.lines.end());
  if (here == one.lines.end() && there == other.lines.end()) return "";
  return fmt::format("line {}: \"{}\" and \"{}\"", here - one.lines.begin(),
                     here == one.lines.end() ? "" : *here, there == other.lines.end() ? "" : *there);
}

Told told_by_processes(const test::RandomCase& c, std::uint32_t processes, std::uint32_t threads,
                       std::uint64_t number) {
  const auto options = [&](Processes& processes) {
    return SimulationOptions{.threads = threads, .always_cut = true, .processes = &processes};
  };
  return test::with_processes(
      processes,
      [&](Processes& processes) {
        Told told = told_of(c, options(processes), number);
        processes.broadcast(test::end_of_sweep());
        return told;
      },
      [&](Processes& processes) {
        SimulationOptions here = options(processes);
        here.seed = number;
        here.stop_when_done = number % 4 != 1;
        here.kept_of_jobs = {.ops = number % 3 == 0};
        here.job_messages = [](const JobMessage&) {};
        take_part(c.network, c.workload, here);
      });
}

std::string add_jobs(test::RandomCase& c, std::uint64_t number) {
  std::string jobs;
  for (std::uint64_t job = 0; job <= number % 3; ++job) {
    test::RandomJob random = test::random_job(number * 3 + job, c.network, number % 5 == 0 ? 4 : 2);
    if (number % 7 == 0) random.job.background = false;
    c.workload.jobs.push_back(std::move(random.job));
    jobs += "\n  job: " + random.description;
  }
  return jobs;
}

TEST(ThreadsOfJobs, DoTheSame) {
  std::map<std::string, int> seen;
  const std::uint64_t cases = test::cases_of(150);
  for (std::uint64_t number = 0; number < cases; ++number) {
    test::RandomCase c = number % 3 == 0   ? test::random_case(number)
                         : number % 3 == 1 ? test::random_isolation_case(number)
                                           : test::random_case(number, test::Memory::cells);
    if (c.network.admittance_limit != UINT64_MAX) continue;  // no spec can have both
    if (number % 2 == 0) {
      c.workload.flows.clear();
      c.workload.sources.clear();
    }
    const std::string jobs = add_jobs(c, number);
    const Told one = told_of(c, {}, number);
    for (const std::uint32_t threads : {2U, 3U, 6U}) {
      const Told several = told_of(c, {.threads = threads, .always_cut = true}, number);
      ASSERT_EQ(difference(one, several), "")
          << threads << " threads, case " << number << ": " << c.description << jobs;
      if (several.threads > 1) ++seen[several.done ? "done" : "not done"];
    }
    const auto processes = static_cast<std::uint32_t>(2 + number % 3);
    if (number % 2 != 0) {
      const Told several = told_by_processes(c, processes, number % 5 == 0 ? 2 : 1, number);
      ASSERT_EQ(difference(one, several), "")
          << processes << " processes, case " << number << ": " << c.description << jobs;
      if (several.threads > 1) ++seen["processes"];
    }
  }
  if (cases < 150) return;  // under a sanitizer
  for (const char* const what : {"done", "not done", "processes"}) EXPECT_GE(seen[what], 10) << what;
}

// Epochs are as long as the look-ahead, but for the end of the job.
TEST(ThreadsOfJobs, HaveLongEpochs) {
  EventSpec spec;
  spec.network.topology = choose(topologies(), "k-ary-n-tree", {{"k", 4}, {"n", 3}});
  spec.network.link.delay = Duration{100};
  spec.traffic.flows.clear();
  for (const char* const program : {"all-reduce", "all-to-all", "broadcast", "gather"}) {
    spec.traffic.jobs = {{.program = choose(programs(), program, {{"size", Bytes{8192}}})}};
    const Model model = build(spec);
    const auto simulation =
        make_simulation(model.network, model.workload, {.threads = 4, .always_cut = true});
    ASSERT_EQ(simulation->threads(), 4U);
    const Tick look_ahead = cut_of(model.network, model.workload, 4).look_ahead;
    const std::uint64_t epochs = simulation->run_until(ticks(Duration{10'000'000}, model.network.tick));
    EXPECT_TRUE(simulation->jobs().done()) << program;
    EXPECT_LE(epochs, static_cast<std::uint64_t>(1.3 * simulation->view().now() / look_ahead) + 20)
        << program;
  }
}

// Collectives and other programs of the catalogue, which have rules, spans and tables of their own.
JobSpec random_job_spec(test::Dice& dice) {
  static constexpr const char* kPrograms[] = {"all-reduce", "reduce-scatter", "all-gather", "all-to-all",
                                              "broadcast",  "reduce",         "scatter",    "gather",
                                              "incast",     "ping-pong",      "barrier",    "request-reply"};
  JobSpec job;
  const std::uint32_t program = dice.from(0, std::size(kPrograms) - 1);
  job.program = program < 10 ? choose(programs(), kPrograms[program], {{"size", Bytes{300}}})
                             : choose(programs(), kPrograms[program]);
  job.placement = dice.one_in(2) ? Placement::random : Placement::linear;
  if (dice.one_in(4)) job.ranks_per_node = 2;
  job.iterations = dice.from(1, 3);
  job.background = dice.one_in(5);
  if (dice.one_in(3)) job.sends = SendsComplete::buffered;
  if (dice.one_in(3)) job.rendezvous = Bytes{100};
  job.start = Duration{dice.from(0, 3) * 50};
  job.overhead = Duration{job.background || dice.one_in(2) ? 20 : 0};
  if (dice.one_in(3)) job.local_delay = Duration{30};
  return job;
}

TEST(ThreadsOfJobs, HaveTheSameResults) {
  std::map<std::string, int> seen;
  const std::uint64_t cases = test::cases_of(2);
  for (const auto& [name, make] : test::kRandomSpecs)
    for (std::uint64_t number = 0; number < cases; ++number) {
      const test::RandomSpec random = make(number);
      EventSpec spec = test::short_spec(random, number);
      test::Dice dice(number * 31 + name[std::string(name).size() - 1]);
      spec.node.admittance_limit = {};
      for (std::uint32_t job = dice.from(1, 2); job > 0; --job)
        spec.traffic.jobs.push_back(random_job_spec(dice));
      if (spec.traffic.has_foreground_job() && !dice.one_in(4)) {
        spec.measure.until = Until::done;
        spec.measure.limit = Duration{dice.one_in(4) ? 1000 : 200'000};
        spec.observe.waiting = false;  // it can be long
        spec.measure.warmup.reset();
      }
      for (const char* const table : {"per-operation", "critical-path"})
        if (dice.one_in(2)) spec.measure.tables.insert(table);
      spec.measure.alone = spec.traffic.has_foreground_job() && dice.one_in(3);
      Result one;
      try {
        one = run(spec);
      } catch (const std::exception&) {  // such as ranks without a path to each other
        ++seen["mistakes"];
        continue;
      }
      RunGauge gauge;
      for (const std::uint32_t threads : {2U, 3U})
        ASSERT_EQ(test::first_difference(
                      one, run(spec, {.threads = threads, .hooks = &test::kAlwaysCut}, RunProgress(gauge))),
                  "")
            << threads << " threads, " << name << '(' << number << "): " << random.description;
      if (gauge.threads < 2) continue;
      ++seen[one.status == Status::unfinished ? "unfinished" : "finished"];
      if (spec.measure.has("critical-path")) ++seen["paths"];
      const auto options = [&](Processes& processes) {
        return RunOptions{.threads = 1, .processes = &processes, .hooks = &test::kAlwaysCut};
      };
      const Result by_processes = test::with_processes(
          2 + number % 2 * 2,
          [&](Processes& processes) {
            Result result = run(spec, options(processes));
            processes.broadcast(test::end_of_sweep());
            return result;
          },
          [&](Processes& processes) { take_part(spec, options(processes)); });
      ASSERT_EQ(test::first_difference(one, by_processes), "")
          << "processes, " << name << '(' << number << "): " << random.description;
    }
  if (cases < 2) return;  // under a sanitizer
  for (const char* const what : {"finished", "unfinished", "paths"}) EXPECT_GE(seen[what], 2) << what;
}

}  // namespace
}  // namespace headway
