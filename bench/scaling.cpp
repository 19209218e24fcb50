// SPDX-License-Identifier: Apache-2.0
#include "bench/scaling.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "headway/compile/build.h"
#include "headway/config/assign.h"
#include "headway/engine/processes.h"
#include "headway/engine/simulation.h"
#include "headway/engine/wait.h"
#include "tests/support/thread_processes.h"

namespace headway {
namespace {

constexpr std::uint32_t kPartsTried[] = {2, 4, 8, 16, 32, 64};
// The shortest of these counts, because other work on the machine only makes a time longer.
constexpr int kRepetitions = 3;

using Seconds = std::chrono::duration<double>;
using WaitClock = std::chrono::steady_clock;

EventSpec spec_of(Choice<Topology> topology, double load, std::int64_t delay_ns) {
  EventSpec spec;
  spec.network.topology = std::move(topology);
  spec.network.link.delay = Duration{delay_ns};
  spec.traffic.flows.front().load = {.points = {{Duration{0}, load}}};
  spec.measure.warmup = Duration{1000};
  return spec;
}

// Threads that do nothing but wait for each other, as parts do after an epoch (parts.cpp). In seconds.
double measured_exchange(std::uint32_t threads) {
  struct alignas(128) Ended {
    std::atomic<std::uint64_t> epochs = 0;
  };
  constexpr std::uint64_t kEpochs = 20'000;
  std::vector<Ended> ended(threads);
  const auto take_part = [&](std::uint32_t self) {
    for (std::uint64_t epoch = 1; epoch <= kEpochs; ++epoch) {
      ended[self].epochs.fetch_add(1, std::memory_order_release);
      ended[self].epochs.notify_all();
      for (const Ended& other : ended)
        wait_until(other.epochs, [&](std::uint64_t epochs) { return epochs >= epoch; });
    }
  };
  const WaitClock::time_point start = WaitClock::now();
  {
    std::vector<std::jthread> others;
    for (std::uint32_t self = 1; self < threads; ++self) others.emplace_back(take_part, self);
    take_part(0);
  }
  return Seconds(WaitClock::now() - start).count() / kEpochs;
}

double exchange(std::uint32_t threads) {
  const std::uint32_t measured = std::min(threads, std::max(2U, std::thread::hardware_concurrency()));
  double least = std::numeric_limits<double>::max();
  for (int i = 0; i < kRepetitions; ++i) least = std::min(least, measured_exchange(measured));
  return least * (threads - 1) / (measured - 1);
}

// What the others have told one process in a run.
struct Told {
  std::vector<Parcel> broadcasts;
  std::vector<std::vector<Parcel>> gathered;
  std::vector<std::vector<Parcel>> exchanged;
  std::size_t exchanges_of_warmup = 0;
};

class RecordingProcess final : public Processes {
 public:
  RecordingProcess(Processes& processes, Told& told) : processes_(processes), told_(told) {}
  std::uint32_t count() const override { return processes_.count(); }
  std::uint32_t number() const override { return processes_.number(); }
  Parcel broadcast(Parcel bytes) override {
    return told_.broadcasts.emplace_back(processes_.broadcast(std::move(bytes)));
  }
  std::vector<Parcel> gather(Parcel bytes) override {
    return told_.gathered.emplace_back(processes_.gather(std::move(bytes)));
  }
  std::vector<Parcel> exchange(std::vector<Parcel> to) override {
    return told_.exchanged.emplace_back(processes_.exchange(std::move(to)));
  }
  [[noreturn]] void abort(std::string_view why) override { throw std::runtime_error(std::string(why)); }

 private:
  Processes& processes_;
  Told& told_;
};

// Alone, a process that is told the same again. Keeps the time between exchanges: an epoch of its parts.
class ReplayedProcess final : public Processes {
 public:
  ReplayedProcess(const Told& told, std::uint32_t count, std::uint32_t process)
      : told_(told), count_(count), process_(process) {}
  std::uint32_t count() const override { return count_; }
  std::uint32_t number() const override { return process_; }
  Parcel broadcast(Parcel) override { return told_.broadcasts.at(broadcasts_++); }
  std::vector<Parcel> gather(Parcel) override { return told_.gathered.at(gathered_++); }
  std::vector<Parcel> exchange(std::vector<Parcel>) override {
    epochs_.push_back(Seconds(WaitClock::now() - start_).count());
    std::vector<Parcel> from = told_.exchanged.at(epochs_.size() - 1);
    start_ = WaitClock::now();
    return from;
  }
  [[noreturn]] void abort(std::string_view why) override { throw std::runtime_error(std::string(why)); }

  const std::vector<double>& epochs() const { return epochs_; }  // in seconds

 private:
  const Told& told_;
  std::uint32_t count_, process_;
  std::size_t broadcasts_ = 0, gathered_ = 0;
  WaitClock::time_point start_ = WaitClock::now();
  std::vector<double> epochs_;
};

class Case {
 public:
  explicit Case(const ScalingCase& one) : one_(one), model_(build(one.spec)) {}

  std::uint32_t nodes() const { return model_.network.nodes(); }

  // Seconds on so many threads; 0: the run uses fewer.
  double measured(std::uint32_t threads) const {
    double least = std::numeric_limits<double>::max();
    for (int i = 0; i < kRepetitions; ++i) {
      const auto simulation =
          make_simulation(model_.network, model_.workload, {.seed = one_.spec.seed, .threads = threads});
      if (simulation->threads() < threads) return 0;
      simulation->run_until(begin());
      const WaitClock::time_point start = WaitClock::now();
      simulation->run_until(end());
      least = std::min(least, Seconds(WaitClock::now() - start).count());
    }
    return least;
  }

  // [process] what it is told; empty if the network has fewer parts.
  std::vector<Told> recorded(std::uint32_t parts) const {
    std::vector<Told> told(parts);
    bool has_parts = false;
    const auto lead = [&](Processes& processes) {
      RecordingProcess recording(processes, told[0]);
      has_parts = run(recording, [&] { told[0].exchanges_of_warmup = told[0].exchanged.size(); });
    };
    const auto help = [&](Processes& processes) {
      RecordingProcess recording(processes, told[processes.number()]);
      take_part(model_.network, model_.workload, options(recording));
    };
    test::with_processes(parts, lead, help);
    if (!has_parts) told.clear();
    return told;
  }

  // [epoch] seconds of a part.
  std::vector<double> replayed(const std::vector<Told>& told, std::uint32_t part) const {
    std::vector<double> least;
    for (int i = 0; i < kRepetitions; ++i) {
      ReplayedProcess processes(told[part], static_cast<std::uint32_t>(told.size()), part);
      if (part == 0)
        run(processes, [] {});
      else
        take_part(model_.network, model_.workload, options(processes));
      if (least.empty()) least = processes.epochs();
      for (std::size_t w = 0; w < least.size(); ++w) least[w] = std::min(least[w], processes.epochs()[w]);
    }
    return {least.begin() + static_cast<std::ptrdiff_t>(told[0].exchanges_of_warmup), least.end()};
  }

 private:
  Tick begin() const { return *model_.warmup; }  // of a microsecond
  Tick end() const { return begin() * (1 + one_.microseconds); }
  SimulationOptions options(Processes& processes) const {
    return {.seed = one_.spec.seed, .processes = &processes};
  }

  // Returns false if there are not as many parts as processes.
  template <class Then>
  bool run(Processes& processes, Then&& after_warmup) const {
    const auto simulation = make_simulation(model_.network, model_.workload, options(processes));
    const bool has_parts = simulation->threads() == processes.count();
    simulation->run_until(begin());
    after_warmup();
    if (has_parts) simulation->run_until(end());
    ParcelWriter writer;
    writer.value(ProcessWord::end);
    processes.broadcast(writer.take());
    return has_parts;
  }

  const ScalingCase& one_;
  Model model_;
};

std::size_t bytes_of(const Told& told) {
  std::size_t bytes = 0;
  for (std::size_t i = told.exchanges_of_warmup; i < told.exchanged.size(); ++i)
    for (const Parcel& parcel : told.exchanged[i]) bytes += parcel.size();
  return bytes;
}

// An all-reduce beside an incast, on nodes drawn among all.
EventSpec spec_of_jobs(std::int64_t ranks) {
  EventSpec spec;
  spec.network.topology = choose(topologies(), "k-ary-n-tree", {{"k", 16}, {"n", 3}});
  spec.network.link.delay = Duration{100};
  spec.traffic.flows.clear();
  spec.traffic.jobs.push_back({.program = choose(programs(), "all-reduce", {{"size", Bytes{1 << 20}}}),
                               .placement = Placement::random,
                               .ranks = ranks});
  spec.traffic.jobs.push_back({.program = choose(programs(), "incast", {{"size", Bytes{64 << 10}}}),
                               .placement = Placement::random,
                               .ranks = 65,
                               .background = true});
  spec.measure.warmup = Duration{1000};
  return spec;
}

}  // namespace

std::vector<ScalingCase> scaling_cases() {
  std::vector<ScalingCase> cases;
  const auto add = [&](std::int64_t k, std::int64_t n, std::int64_t delay_ns, double load,
                       std::int64_t microseconds) {
    cases.push_back({fmt::format("{}-ary {}-tree, {} ns, load {}", k, n, delay_ns, load),
                     spec_of(choose(topologies(), "k-ary-n-tree", {{"k", k}, {"n", n}}), load, delay_ns),
                     microseconds});
  };
  for (const double load : {0.5, 0.9}) {
    add(4, 4, 4, load, 20);
    add(4, 4, 100, load, 50);
    add(16, 3, 4, load, 2);
    add(16, 3, 100, load, 5);
  }
  add(16, 4, 100, 0.5, 1);
  for (const std::int64_t ranks : {1024, 4096})
    cases.push_back({fmt::format("all-reduce on {} of 4096", ranks), spec_of_jobs(ranks), 20});
  return cases;
}

Scaling scaling_of(const ScalingCase& one) {
  const Case the_case(one);
  Scaling result;
  result.nodes = the_case.nodes();
  const double alone = the_case.measured(1);
  for (const std::uint32_t parts : kPartsTried) {
    const std::vector<Told> told = the_case.recorded(parts);
    if (told.empty()) break;
    std::vector<double> longest;
    double all = 0;
    std::size_t bytes = 0;
    for (std::uint32_t part = 0; part < parts; ++part) {
      const std::vector<double> epochs = the_case.replayed(told, part);
      longest.resize(epochs.size());
      for (std::size_t w = 0; w < epochs.size(); ++w) {
        longest[w] = std::max(longest[w], epochs[w]);
        all += epochs[w];
      }
      bytes += bytes_of(told[part]);
    }
    const double seconds = parts <= std::thread::hardware_concurrency() ? the_case.measured(parts) : 0;
    const auto epochs = static_cast<double>(longest.size());
    const double slowest = std::reduce(longest.begin(), longest.end()), each = exchange(parts);
    result.of_parts.push_back({
        .parts = parts,
        .epochs_per_us = epochs / static_cast<double>(one.microseconds),
        .epoch_us = all / epochs * 1e6,
        .imbalance = slowest * parts / all,
        .epoch_bytes = static_cast<double>(bytes) / epochs / parts,
        .exchange_us = each * 1e6,
        .expected = alone / (slowest + epochs * each),
        .measured = seconds > 0 ? alone / seconds : 0,
    });
  }
  return result;
}

}  // namespace headway
