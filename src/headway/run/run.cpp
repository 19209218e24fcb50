// SPDX-License-Identifier: Apache-2.0
#include "headway/run/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <string>

#include "headway/base/cancel_scope.h"
#include "headway/base/cpu_time.h"
#include "headway/compile/build.h"
#include "headway/compile/cost.h"
#include "headway/engine/simulation.h"
#include "headway/metrics/columns.h"
#include "headway/metrics/fairness.h"
#include "headway/metrics/flow_waiting.h"
#include "headway/metrics/isolation.h"
#include "headway/metrics/overflow.h"
#include "headway/metrics/stalls.h"
#include "headway/metrics/waiting.h"
#include "headway/metrics/window.h"
#include "headway/run/load_changes.h"
#include "headway/run/slotted.h"
#include "headway/run/steady_state.h"
#include "headway/run/verdict.h"

namespace headway {
namespace {

// One run in progress: warm-up, measurement, and the series over both.
class Run {
 public:
  Run(const EventSpec& spec, const RunOptions& options)
      : options_(options),
        seed_(spec.seed),
        measure_(spec.measure),
        observe_(spec.observe),
        flows_(spec.traffic.flows.size() + spec.traffic.traces.size()),
        has_destinations_(spec.has_destinations()),
        model_(model_of(spec, options)),
        simulation_(make_simulation(model_.network, model_.workload, simulation_options(spec))),
        changes_(load_changes(model_.workload)) {
    cost_ = cost_of(spec, model_.network.graph, model_.network.queue_map, model_.network);
  }

  Result result() {
    const double cpu_before = cpu_seconds();
    Result result;
    if (measure_.watch_destination) watch_.destination = static_cast<NodeId>(*measure_.watch_destination);
    watch_.ports = measure_.has(ExtraTable::port_series);
    std::unique_ptr<Window> warmup = open_window(0);
    read_congestion();
    if (observe_.waiting) observer_ = make_observer();
    const bool steady = model_.warmup ? advance(*warmup, *model_.warmup) : detect_warmup(*warmup);
    std::unique_ptr<Window> window = open_window(now_);
    start_looking();
    if (observer_) observer_->begin_measurement();
    const std::size_t measured_from = warmup->readings().size() - 1;
    if (!stall_.deadlocked) advance(*window, now_ + model_.duration);
    if (!stall_.deadlocked) stall_ = simulation_->find_stall();

    result.metrics = window->metrics();
    result.series = series({warmup.get(), window.get()});
    if (has_destinations_) result.per_destination = window->per_destination();
    if (measure_.has(ExtraTable::per_pair)) result.per_pair = window->per_pair();
    if (measure_.has(ExtraTable::per_link) || observer_) result.per_link = window->per_link();
    if (measure_.has(ExtraTable::destination_series))
      result.destination_series = destination_series({warmup.get(), window.get()});
    if (measure_.has(ExtraTable::fairness)) add_fairness(result, {warmup.get(), window.get()});
    if (measure_.has(ExtraTable::pair_series)) result.pair_series = pair_series({warmup.get(), window.get()});
    result.metrics.insert(result.metrics.end(), cost_.begin(), cost_.end());
    if (model_.cut_off.paths) add_cut_off(model_.cut_off, result);
    if (!isolation_.empty()) add_isolation(result, measured_from);
    if (!overflow_.empty()) add_overflow(overflow_, measured_from, result);
    if (observer_) {
      add_waiting(*observer_, *window, result);
      if (observer_->census() != nullptr) add_flow_waiting(*observer_, *window, result);
      add_stalls(model_.network, stall_, observer_->heads(), simulation_->view(), result);
      result.snapshots = observer_->take_snapshots();
    }
    result.per_stage = window->per_stage();
    result.trace_hash = simulation_->record().trace_hash;
    judge(result, *window, steady);
    result.cpu_s = cpu_seconds() - cpu_before;
    return result;
  }

 private:
  static constexpr Tick kPieces = 16;  // parts of a bin, if a trace is replayed

  static Model model_of(const EventSpec& spec, const RunOptions& options) {
    SeenNetworks own;
    return build(spec, options.networks != nullptr ? *options.networks : own, options.cancelled);
  }

  SimulationOptions simulation_options(const EventSpec& spec) {
    SimulationOptions options;
    options.seed = spec.seed;
    options.check = options_.check;
    options.count_pairs = spec.measure.has(ExtraTable::per_pair) || spec.measure.has(ExtraTable::pair_series);
    options.count_received = has_destinations_;
    options.backlog_limit = backlog_limit();
    if (options_.backlog_window) options.backlog_window = *options_.backlog_window;
    if (observe_.waiting && has_census()) {
      options.deliveries = &deliveries_;
      options.count_by_generator = true;
    }
    return options;
  }

  // The remaining memory of the run; more than 0 even if the estimate of the rest exceeds the total.
  std::uint64_t backlog_limit() const {
    const std::uint64_t rest = model_.need.start + (options_.check ? model_.need.checking : 0);
    return std::max(options_.memory - std::min(options_.memory, rest), options_.memory / 8);
  }

  // Whether photographs are counted by flow or by pair.
  bool has_census() const { return flows_ > 1 || measure_.has(ExtraTable::per_pair); }

  std::unique_ptr<Observer> make_observer() const {
    const auto watched = static_cast<NodeId>(measure_.watch_destination.value_or(kNone));
    std::unique_ptr<FlowCensus> census;
    if (has_census())
      census = std::make_unique<FlowCensus>(FlowNumbers(model_.workload, model_.flow_of_spec),
                                            measure_.has(ExtraTable::per_pair));
    auto observer =
        std::make_unique<Observer>(model_.network, seed_, model_.interval, watched, std::move(census));
    if (observe_.keep && options_.keep) observer->keep_snapshots();
    return observer;
  }

  std::unique_ptr<Window> open_window(Tick start) {
    return std::make_unique<Window>(
        model_.network, model_.workload, *simulation_, start,
        Window::Options{measure_.has(ExtraTable::destination_series), measure_.has(ExtraTable::pair_series)});
  }

  // Simulates bins until `end`; the last one can be shorter. Returns false if the network deadlocks.
  bool advance(Window& window, Tick end) {
    while (now_ < end && !stall_.deadlocked) step(window, std::min(end, now_ + model_.bin));
    return !stall_.deadlocked;
  }

  void step(Window& window, Tick to) {
    const std::uint64_t hops_before = simulation_->record().counters.packet_hops;
    run_until(to);
    window.close_bin(now_);
    if (observer_) observer_->close_bin();
    read_congestion();
    const bool still = simulation_->record().counters.packet_hops == hops_before;
    if (still && simulation_->record().packets_in_network > 0) stall_ = simulation_->find_stall();
  }

  // Simulates in pieces that end at the observations. With traces, a bin can take long, so the pieces are
  // shorter than a bin: the run reports progress and can be cancelled between them.
  void run_until(Tick to) {
    const Tick piece = model_.workload.traces.empty() ? to - now_ : std::max<Tick>((to - now_) / kPieces, 1);
    while (now_ < to) {
      throw_if_set(options_.cancelled);
      now_ = std::min({to, now_ + piece, next_look_, observer_ ? observer_->next() : to});
      simulate(now_);
      if (observer_ && observer_->census() != nullptr) observer_->census()->count(deliveries_);
      deliveries_.clear();
      if (now_ == next_look_) look();
      if (observer_ && now_ == observer_->next()) observer_->look(*simulation_);
      if (options_.progress == nullptr) continue;
      const Tick total =
          model_.warmup.value_or(std::max(now_ - model_.duration, model_.duration / 2)) + model_.duration;
      options_.report(std::min(1.0, static_cast<double>(now_) / static_cast<double>(total)));
    }
  }

  // The verdict reads the counters at its own times, which do not depend on the bins.
  void start_looking() {
    looks_.clear();
    look();
  }
  void look() {
    looks_.push_back(read(*simulation_, now_));
    next_look_ = now_ + std::max<Tick>(model_.duration / kObservations, 1);
  }

  void simulate(Tick to) try { simulation_->run_until(to); } catch (const BacklogTooLarge& stopped) {
    const Record& record = simulation_->record();
    throw OutOfMemory(
        fmt::format("stopped at {:.6g} us: the offered load exceeds what the network accepts; {} waiting "
                    "messages use {} of memory, and this run can use {} in total. Reduce the load or the "
                    "simulated time, or set node.admittance_limit",
                    model_.network.ns(static_cast<double>(stopped.tick)) / 1000, stopped.messages,
                    memory_text(backlog_bytes(record.most_kept_messages, record.admittance_queues,
                                              record.admittance_tails)),
                    memory_text(options_.memory)));
  }

  // Simulates until throughput and network latency are both steady after the last change of a load. Both are
  // bounded in a lossless network, even in saturation, so they settle whether or not the outstanding traffic
  // grows.
  bool detect_warmup(Window& window) {
    const Tick loaded = changes_.empty() ? 0 : changes_.back().at;
    if (loaded > 0) advance(window, loaded);
    start_looking();
    std::vector<double> throughput, latency;
    const Tick limit = loaded + kWarmupLimit * model_.duration;
    while (now_ < limit && !stall_.deadlocked) {
      step(window, now_ + model_.bin);
      while (throughput.size() + 1 < looks_.size()) {
        const Counters& from = looks_[throughput.size()].counters;
        const Counters& to = looks_[throughput.size() + 1].counters;
        const auto packets = static_cast<double>(to.packets_delivered - from.packets_delivered);
        throughput.push_back(static_cast<double>(to.bytes_delivered - from.bytes_delivered));
        const auto ticks = static_cast<double>(to.network_latency_ticks - from.network_latency_ticks);
        latency.push_back(packets > 0 ? ticks / packets : 0);
      }
      if (warmup_length(throughput) && warmup_length(latency)) return true;
    }
    return false;
  }

  using Windows = std::array<const Window*, 2>;  // warm-up and measurement, which together give the series

  template <class Bin>
  static void for_each_bin(const Windows& windows, const Bin& bin) {
    for (const Window* window : windows)
      for (std::size_t reading = 1; reading < window->readings().size(); ++reading) bin(*window, reading);
  }

  Table series(const Windows& windows) const {
    Table table;
    for (const SeriesMetric& column : series_metrics()) {
      table.push_back({std::string(column.metric.name), {}});
      for_each_bin(windows, [&](const Window& window, std::size_t reading) {
        table.back().values.push_back(
            column.value(window, window.readings()[reading - 1], window.readings()[reading]));
      });
    }
    return table;
  }

  Table destination_series(const Windows& windows) const {
    Table table = {{"time_ns", {}}};
    for (NodeId node = 0; node < model_.network.nodes(); ++node)
      table.push_back({"accepted_load_" + std::to_string(node), {}});
    for_each_bin(windows, [&](const Window& window, std::size_t reading) {
      table[0].values.push_back(model_.network.ns(static_cast<double>(window.readings()[reading].tick)));
      for (NodeId node = 0; node < model_.network.nodes(); ++node)
        table[node + 1].values.push_back(window.accepted_load(node, reading));
    });
    return table;
  }

  // A row for every bin and every pair that received data in it.
  Table pair_series(const Windows& windows) const {
    Table table = registered_table("pair_series");
    for_each_bin(windows, [&](const Window& window, std::size_t reading) {
      const double time = model_.network.ns(static_cast<double>(window.readings()[reading].tick));
      for (const Window::PairBytes& pair : window.pairs(reading))
        add_row(table, {time, static_cast<double>(pair.source), static_cast<double>(pair.destination),
                        window.accepted_load(pair, reading)});
    });
    return table;
  }

  void add_fairness(Result& result, const Windows& windows) const {
    Fairness fairness(model_.network, model_.workload, measure_.victims_below);
    const std::vector<Portion> portions = fairness.portions(*windows.back());
    add_shares(portions, result.per_destination);
    for (const FairnessMetric& metric : fairness_metrics())
      result.metrics.emplace_back(metric.metric.name, metric.value(portions));
    if (!measure_.has(ExtraTable::destination_series)) return;
    Table columns;
    for (const FairnessMetric& metric : fairness_metrics())
      if (metric.over_time) columns.push_back({std::string(metric.metric.name), {}});
    for_each_bin(windows, [&](const Window& window, std::size_t reading) {
      const std::vector<Portion> of_bin = fairness.portions(window, reading);
      auto column = columns.begin();
      for (const FairnessMetric& metric : fairness_metrics())
        if (metric.over_time) (column++)->values.push_back(metric.value(of_bin));
    });
    for (Column& column : columns) result.destination_series.push_back(std::move(column));
  }

  void read_congestion() {
    if (const Isolation* isolation = simulation_->view().isolation())
      isolation_.push_back(read_isolation(model_.network, *isolation, now_, watch_));
    if (const Overflow* overflow = simulation_->view().overflow()) overflow_.push_back(overflow->counts());
  }

  void add_isolation(Result& result, std::size_t measured_from) const {
    const std::span<const IsolationReading> readings(isolation_);
    for (auto& metric : values_of({model_.network, model_.workload, watch_, readings.subspan(measured_from)}))
      result.metrics.push_back(std::move(metric));
    Table columns;
    for (std::size_t i = 1; i < readings.size(); ++i) {
      add_isolation_bin(readings[i - 1], readings[i], watch_, columns);
      if (watch_.ports) add_port_bin(model_.network, readings[i], result.port_series);
    }
    for (Column& column : columns) result.series.push_back(std::move(column));
  }

  void judge(Result& result, const Window& window, bool steady) const {
    if (stall_.deadlocked) {
      result.status = Status::deadlock;
      result.detail = fmt::format("{} packets can never move: {}", stall_.packets, stall_.text);
      return;
    }
    const CancelScope scope(options_.cancelled);
    const Verdict verdict = verdict_of({model_, changes_, window, looks_, steady});
    result.status = verdict.status;
    result.detail = verdict.detail;
    result.longer = verdict.enough;
  }

  RunOptions options_;
  std::uint64_t seed_;
  MeasureSpec measure_;
  ObserveSpec observe_;
  std::size_t flows_;  // including traces
  bool has_destinations_;
  Model model_;
  std::vector<std::pair<std::string, double>> cost_;
  std::vector<Delivery> deliveries_;  // since the last look, if the observer has a census
  std::unique_ptr<Simulation> simulation_;
  std::vector<LoadChange> changes_;
  Tick now_ = 0;
  std::vector<Reading> looks_;  // in the window; before the window, since the last change of a load
  Tick next_look_ = std::numeric_limits<Tick>::max();
  Stall stall_;
  std::unique_ptr<Observer> observer_;  // if requested
  IsolationWatch watch_;
  std::vector<IsolationReading> isolation_;  // at the start and at the end of each bin, including the warm-up
  std::vector<OverflowCounts> overflow_;     // likewise
};

}  // namespace

Result run(const Spec& spec, const RunOptions& options) {
  if (const auto* slotted = std::get_if<SlottedSpec>(&spec)) return run(*slotted, options);
  return Run(std::get<EventSpec>(spec), options).result();
}

}  // namespace headway
