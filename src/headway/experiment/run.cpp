// SPDX-License-Identifier: Apache-2.0
#include "headway/experiment/run.h"

#include <cmath>
#include <memory>
#include <string>

#include "headway/base/cpu_time.h"
#include "headway/engine/simulation.h"
#include "headway/experiment/build.h"
#include "headway/experiment/steady_state.h"
#include "headway/metrics/window.h"

namespace headway {
namespace {

// One run in progress: warm-up, measurement, and the series over both.
class Run {
 public:
  Run(const Spec& spec, const RunOptions& options)
      : options_(options),
        model_(build(spec)),
        simulation_(make_simulation(model_.network, model_.workload, simulation_options(spec))) {}

  Result result(const Spec& spec) {
    const double cpu_before = cpu_seconds();
    Result result;
    std::unique_ptr<Window> warmup = open_window(0);
    const bool steady = model_.warmup ? advance(*warmup, *model_.warmup) : detect_warmup(*warmup);
    std::unique_ptr<Window> window = open_window(now_);
    if (!stall_.deadlocked) advance(*window, now_ + model_.duration);
    if (!stall_.deadlocked) stall_ = simulation_->find_stall();

    result.metrics = window->metrics();
    result.series = series(*warmup, *window);
    if (spec.measure.per_destination) result.per_destination = window->per_destination();
    if (spec.measure.per_link) result.per_link = window->per_link();
    result.per_stage = window->per_stage();
    result.trace_hash = simulation_->record().trace_hash;
    judge(result, *window, steady);
    result.cpu_s = cpu_seconds() - cpu_before;
    return result;
  }

 private:
  // A warm-up that is not given must show within this many measured durations.
  static constexpr Tick kWarmupLimit = 2;

  SimulationOptions simulation_options(const Spec& spec) const {
    SimulationOptions options;
    options.seed = spec.seed;
    options.check = options_.check;
    return options;
  }

  std::unique_ptr<Window> open_window(Tick start) {
    return std::make_unique<Window>(model_.network, model_.workload, *simulation_, start);
  }

  // Simulates bins until `end`; the last one may be shorter. False if the network deadlocked on the way.
  bool advance(Window& window, Tick end) {
    while (now_ < end && !stall_.deadlocked) step(window, std::min(end, now_ + model_.bin));
    return !stall_.deadlocked;
  }

  void step(Window& window, Tick to) {
    if (options_.cancelled != nullptr && options_.cancelled->load(std::memory_order_relaxed))
      throw Cancelled{};
    const std::uint64_t hops_before = simulation_->record().counters.packet_hops;
    simulation_->run_until(to);
    now_ = to;
    window.close_bin(now_);
    const bool still = simulation_->record().counters.packet_hops == hops_before;
    if (still && simulation_->record().packets_in_network > 0) stall_ = simulation_->find_stall();
    if (options_.progress != nullptr) {
      const Tick total =
          model_.warmup.value_or(std::max(now_ - model_.duration, model_.duration / 2)) + model_.duration;
      options_.progress->store(std::min(1.0, static_cast<double>(now_) / static_cast<double>(total)),
                               std::memory_order_relaxed);
    }
  }

  // Simulates until throughput and network latency per bin are both steady. Both are bounded in a lossless
  // network, also one that is saturated, so they settle whether or not the sources' backlog grows.
  bool detect_warmup(Window& window) {
    std::vector<double> throughput, latency;
    const Tick limit = kWarmupLimit * model_.duration;
    while (now_ < limit && !stall_.deadlocked) {
      step(window, now_ + model_.bin);
      const Reading& from = *(window.readings().end() - 2);
      const Reading& to = window.last();
      const auto packets =
          static_cast<double>(to.counters.packets_delivered - from.counters.packets_delivered);
      throughput.push_back(static_cast<double>(to.counters.bytes_delivered - from.counters.bytes_delivered));
      const auto ticks =
          static_cast<double>(to.counters.network_latency_ticks - from.counters.network_latency_ticks);
      latency.push_back(packets > 0 ? ticks / packets : 0);
      if (warmup_length(throughput) && warmup_length(latency)) return true;
    }
    return false;
  }

  Table series(const Window& warmup, const Window& window) const {
    Table table;
    for (const SeriesDefinition& column : series_definitions()) {
      table.push_back({std::string(column.name), {}});
      for (const Window* part : {&warmup, &window})
        for (std::size_t i = 1; i < part->readings().size(); ++i)
          table.back().values.push_back(column.value(model_.network, part->bytes_per_tick_of_nodes(),
                                                     part->readings()[i - 1], part->readings()[i]));
    }
    return table;
  }

  void judge(Result& result, const Window& window, bool steady) const {
    if (stall_.deadlocked) {
      result.status = Status::deadlock;
      result.detail = std::to_string(stall_.packets) + " packets can never move: " + stall_.cycle;
    } else if (window.saturated()) {
      result.status = Status::saturated;
      result.detail = "the sources' backlog grew from " + std::to_string(window.first().waiting_packets) +
                      " to " + std::to_string(window.last().waiting_packets) +
                      " packets: latency from generation depends on how long one measures";
    } else if (!steady) {
      result.status = Status::not_steady;
      result.detail = "no end of the warm-up was found within " + std::to_string(kWarmupLimit) +
                      " times the measured duration; give measure.warmup or measure longer";
    }
  }

  RunOptions options_;
  Model model_;
  std::unique_ptr<Simulation> simulation_;
  Tick now_ = 0;
  Stall stall_;
};

}  // namespace

Result run(const Spec& spec, const RunOptions& options) {
  if (spec.slotted) return run(*spec.slotted, *spec.network.topology, spec.seed, options);
  return Run(spec, options).result(spec);
}

}  // namespace headway
