// SPDX-License-Identifier: Apache-2.0
#include "headway/run/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "headway/analysis/offered_traffic.h"
#include "headway/base/cancel_scope.h"
#include "headway/base/cpu_time.h"
#include "headway/base/together.h"
#include "headway/compile/build.h"
#include "headway/compile/cost.h"
#include "headway/compile/memory.h"
#include "headway/compile/run_scope.h"
#include "headway/engine/parts.h"
#include "headway/engine/simulation.h"
#include "headway/metrics/fairness.h"
#include "headway/metrics/isolation.h"
#include "headway/metrics/jobs.h"
#include "headway/metrics/measured_run.h"
#include "headway/metrics/messages.h"
#include "headway/metrics/overflow.h"
#include "headway/metrics/rows.h"
#include "headway/metrics/stalls.h"
#include "headway/metrics/waiting.h"
#include "headway/metrics/window.h"
#include "headway/run/alone.h"
#include "headway/run/critical_path.h"
#include "headway/run/simulate.h"
#include "headway/run/stall_watch.h"
#include "headway/run/steady_state.h"
#include "headway/run/verdict.h"
#include "headway/spec/flow_names.h"
#include "headway/spec/write_spec.h"

namespace headway {
namespace {

// One run in progress: warm-up, measurement, and the series over both.
class Run {
 public:
  Run(const EventSpec& spec, const RunOptions& options)
      : options_(options),
        spec_(spec),
        scope_(scope_of(spec)),
        flows_(flow_names_in_results(spec)),
        model_(model_of(spec, options)),
        messages_(measured_messages()),
        simulation_options_(simulation_options()),
        changes_(load_changes(model_)) {
    cost_ = cost_of(spec, model_.network.graph, model_.network.queue_map, model_.network);
    if (scope_.meets(Needs::fairness))
      fairness_.emplace(model_.network, model_.workload, spec_.measure.victims_below);
  }

  Result result() {
    const double cpu_before = cpu_so_far();
    Result result;
    // first, so that two simulations never take memory at the same time
    if (spec_.measure.alone) run_alone();
    RunOptions last_part = options_;  // of the progress
    if (scope_.meets(Needs::critical_path))
      last_part.progress_from = options_.progress_to = options_.progress_at(0.5);
    simulation_ = make_simulation(model_.network, model_.workload, simulation_options_);
    stall_watch_.emplace(*simulation_, model_.network);
    tell_threads(result);
    if (spec_.measure.watch_destination)
      watch_.destination = static_cast<NodeId>(*spec_.measure.watch_destination);
    watch_.ports = spec_.measure.has("port-series");
    std::unique_ptr<Window> warmup = open_window(0);
    read_congestion();
    if (spec_.observe.waiting) observer_ = make_observer();
    const bool steady = model_.limit    ? advance(*warmup, first_start())
                        : model_.warmup ? advance(*warmup, *model_.warmup)
                                        : detect_warmup(*warmup);
    std::unique_ptr<Window> window = open_window(now_);
    if (!model_.limit) start_looking();
    if (observer_) observer_->begin_measurement();
    const std::size_t measured_from = warmup->readings().size() - 1;
    if (!stall_.deadlocked) advance(*window, model_.limit ? *model_.limit : now_ + model_.duration);
    if (!stall_.deadlocked && !is_done()) stall_ = simulation_->find_stall();

    if (scope_.meets(Needs::critical_path) && !stall_.deadlocked) follow_critical_paths(last_part);
    add_tables({warmup.get(), window.get()}, result);
    add_metrics(window_metrics(), *window, scope_, result);
    if (messages_)
      add_metrics(message_metrics(), MessageStatistics(*window, messages_->classes()), scope_, result);
    add_metrics(job_metrics(), jobs_of_run(), scope_, result);
    if (fairness_) add_metrics(fairness_metrics(), fairness_->portions(*window), scope_, result);
    result.metrics.insert(result.metrics.end(), cost_.begin(), cost_.end());
    if (model_.cut_off.paths)
      add_cut_off(model_.cut_off,
                  model_.cut_off.share(model_.workload, window->first().tick, window->last().tick), result);
    if (!isolation_.empty()) {
      const IsolationWindow measured{model_.network, model_.workload, watch_,
                                     std::span(isolation_).subspan(measured_from)};
      add_metrics(isolation_metrics(), measured, scope_, result);
    }
    if (!overflow_.empty())
      add_metrics(overflow_metrics(), std::span(overflow_).subspan(measured_from), scope_, result);
    if (observer_) {
      add_waiting(*observer_, *window, scope_, result);
      add_stalls(model_.network, observer_->heads(), scope_, result);
      result.snapshots = observer_->take_snapshots();
    }
    for (const TableKind& kind : result_tables())
      if (kind.named_rows)
        for (auto& metric : metrics_of_rows(result.table(kind.name)))
          result.metrics.push_back(std::move(metric));
    const Record& record = simulation_->record();
    result.trace_hash = record.trace_hash;
    judge(result, *window, steady);
    if (result.detail.empty()) result.detail = alone_.unfinished;
    result.backlog_bytes =
        backlog_bytes(record.most_kept_messages, record.admittance_queues, record.admittance_tails);
    result.cpu_s = cpu_so_far() - cpu_before + simulation_->cpu_of_other_threads();
    return result;
  }

  Parcel take_part() const {
    return headway::take_part(model_.network, model_.workload, simulation_options_);
  }

 private:
  static constexpr Tick kPieces = 16;  // parts of a bin, if a trace is replayed
  static constexpr std::uint64_t kTicksAtOnce = 1 << 16;
  static constexpr Tick kPiecesUntilDone = 1 << 16;  // parts of the limit

  static double cpu_so_far() { return cpu_seconds() + ThreadScope::current().cpu_of_others; }

  static Model model_of(const EventSpec& spec, const RunOptions& options) {
    Memo own;
    Memo& memo = options.memo != nullptr ? *options.memo : own;
    Plan plan = headway::plan(spec, resolved(spec), {.memo = memo, .cancelled = options.cancelled});
    plan.mistakes.throw_if_any();
    return build(spec, std::move(plan), options.cancelled);
  }

  std::optional<MessageTimes> measured_messages() const {
    if (!scope_.meets(Needs::messages)) return std::nullopt;
    const auto slowest = static_cast<std::size_t>(spec_.measure.slowest_messages);
    return std::make_optional<MessageTimes>(
        model_.network, model_.workload, model_.flows,
        MessageTimes::Options{.pairs = spec_.measure.has("per-pair"), .slowest = slowest});
  }

  SimulationOptions simulation_options() {
    SimulationOptions options;
    options.seed = spec_.seed;
    options.check = options_.check;
    options.count_pairs = spec_.measure.has("per-pair") || spec_.measure.has("pair-series");
    options.count_received = spec_.has_destinations();
    options.backlog_limit = backlog_limit();
    options.threads = options_.threads;
    options.ranks = options_.ranks;
    options.always_cut = options_.always_cut;
    if (options_.kept_messages != nullptr) options.kept_messages = *options_.kept_messages;
    if (scope_.meets(Needs::several_flows)) options.count_flows = &model_.flows;
    if (scope_.meets(Needs::classes)) options.count_classes = &model_.classes;
    options.count_by_generator = spec_.observe.waiting && has_census();
    options.kept_of_jobs = {.ops = scope_.asks("per-operation"),
                            .causes = scope_.meets(Needs::critical_path)};
    options.stop_when_done = model_.limit.has_value();
    if (messages_ && !model_.workload.jobs.empty())
      options.job_messages = [this](const JobMessage& message) { messages_->take(message); };
    if ((messages_ && model_.workload.first_job_generator() > 0) || has_pair_census())
      options.deliveries = [this](std::span<const Delivery> deliveries) {
        if (messages_) messages_->take(deliveries);
        if (has_pair_census()) observer_->census()->count(deliveries);
      };
    return options;
  }

  void tell_threads(Result& result) const {
    if (options_.threads_used != nullptr) *options_.threads_used = simulation_->threads();
    if ((options_.threads == 1 && options_.ranks == nullptr) || simulation_->threads() > 1) return;
    result.one_thread = why_one_thread(model_.network, model_.workload, simulation_options_);
    if (result.one_thread.empty()) result.one_thread = "more threads would not make it faster";
  }

  // The remaining memory of the run; more than 0 even if the estimate of the rest exceeds the total.
  std::uint64_t backlog_limit() const {
    const std::uint64_t rest = model_.need.start + (options_.check ? model_.need.checking : 0);
    return std::max(options_.memory - std::min(options_.memory, rest), options_.memory / 8);
  }

  // The jobs alone. This is the first part of the run's progress.
  void run_alone() {
    SimulationOptions options;
    options.seed = simulation_options_.seed;
    options.check = simulation_options_.check;
    options.backlog_limit = simulation_options_.backlog_limit;
    RunOptions first_part = options_;
    first_part.progress_to = options_.progress_from =
        options_.progress_at(scope_.meets(Needs::critical_path) ? 1.0 / 3 : 1.0 / 2);
    alone_ = run_jobs_alone(model_.network, model_.workload, job_names(), model_.limit.value_or(latest_end()),
                            options, first_part);
  }

  // Without a limit: the latest end of the measured window.
  Tick latest_end() const {
    return model_.warmup.value_or(last_change() + kWarmupLimit * model_.duration) + model_.duration;
  }
  Tick last_change() const { return changes_.empty() ? 0 : changes_.back().at; }

  // Whether photographs are counted by flow or by pair.
  bool has_census() const { return scope_.meets(Needs::several_flows) || spec_.measure.has("per-pair"); }
  bool has_pair_census() const { return spec_.observe.waiting && spec_.measure.has("per-pair"); }

  std::unique_ptr<Observer> make_observer() const {
    const auto watched = static_cast<NodeId>(spec_.measure.watch_destination.value_or(kNone));
    std::unique_ptr<FlowCensus> census;
    if (has_census()) census = std::make_unique<FlowCensus>(model_.flows, spec_.measure.has("per-pair"));
    auto observer =
        std::make_unique<Observer>(model_.network, spec_.seed, model_.interval, watched, std::move(census));
    if (spec_.observe.keep && options_.keep) observer->keep_snapshots();
    return observer;
  }

  std::unique_ptr<Window> open_window(Tick start) {
    if (messages_) messages_->begin_measurement();
    return std::make_unique<Window>(
        model_.network, model_.workload, *simulation_, start,
        Window::Options{.destinations_over_time = spec_.measure.has("destination-series"),
                        .pairs_over_time = spec_.measure.has("pair-series"),
                        .rates_over_time = spec_.measure.has("rate-series"),
                        .flows = scope_.meets(Needs::several_flows) ? &model_.flows : nullptr});
  }

  // Simulates bins until `end`; the last one can be shorter. Returns false if the network deadlocks.
  bool advance(Window& window, Tick end) {
    while (now_ < end && !stall_.deadlocked && !is_done()) step(window, std::min(end, now_ + model_.bin));
    return !stall_.deadlocked;
  }

  // Returns true if the run is to end because its jobs are done.
  bool is_done() const { return model_.limit && simulation_->jobs().done(); }
  JobsOfRun jobs_of_run() const {
    return {model_.network, model_.workload, simulation_->jobs(), alone_.completion};
  }
  std::span<const std::string> job_names() const {
    return std::span(flows_).last(model_.workload.jobs.size());
  }
  // The earliest start of a job that is not in the background.
  Tick first_start() const {
    Tick first = *model_.limit;
    for (const Job& job : model_.workload.jobs)
      if (!job.background) first = std::min(first, job.start);
    return first;
  }

  void step(Window& window, Tick to) {
    run_until(to);
    window.close_bin(now_);
    if (messages_) messages_->close_bin();
    if (observer_) observer_->close_bin();
    read_congestion();
    if (!model_.limit) stall_ = stall_watch_->look();
  }

  // Simulates in pieces that end at the observations. With traces or jobs, a bin can take long, so the pieces
  // are shorter: the run reports progress and can be cancelled between them.
  void run_until(Tick to) {
    const Tick pieces = model_.workload.traces.empty() ? 1 : kPieces;
    const Tick piece =
        std::max<Tick>(model_.limit ? *model_.limit / kPiecesUntilDone : (to - now_) / pieces, 1);
    while (now_ < to && !stall_.deadlocked) {
      throw_if_set(options_.cancelled);
      now_ = std::min({to, now_ + piece, next_look_, observer_ ? observer_->next() : to});
      simulate(*simulation_, model_.network, now_, options_);
      if (is_done()) {
        now_ = simulation_->view().now();
        return;
      }
      if (model_.limit) stall_ = stall_watch_->look();
      if (now_ == next_look_) look();
      if (observer_ && now_ == observer_->next()) observer_->look(*simulation_);
      if (options_.progress == nullptr) continue;
      if (model_.limit) {
        options_.report(jobs_of_run().share_done());
        continue;
      }
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

  // Simulates until throughput and network latency are both steady after the last change of a load. Both are
  // bounded in a lossless network, even in saturation, so they settle whether or not the outstanding traffic
  // grows.
  bool detect_warmup(Window& window) {
    const Tick loaded = last_change();
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

  // [sending port] demand divided by capacity, for the table of links; empty if it is not needed or not
  // known.
  std::vector<double> demand_of_links(const Window& window) const {
    if (!find_table(LinkRow::kTable)->is_made(scope_) || is_closed_loop(model_.workload)) return {};
    return model_.bottlenecks->links_of(model_.network, model_.workload,
                                        mean_rates(model_.workload, window.first().tick, window.last().tick));
  }

  void add_tables(const std::array<const Window*, 2>& windows, Result& result) {
    const JobsOfRun jobs = jobs_of_run();
    const std::vector<double> demand = demand_of_links(*windows.back());
    const MeasuredRun measured{.scope = scope_,
                               .windows = windows,
                               .flows = flows_,
                               .classes = model_.class_names,
                               .class_numbers = model_.classes,
                               .messages = messages_ ? &*messages_ : nullptr,
                               .fairness = fairness_ ? &*fairness_ : nullptr,
                               .observer = observer_.get(),
                               .stall = stall_,
                               .cut_off = model_.cut_off,
                               .isolation = isolation_,
                               .overflow = overflow_,
                               .jobs = model_.workload.jobs.empty() ? nullptr : &jobs,
                               .paths = paths_,
                               .demand = demand};
    for (const TableKind& table : result_tables())
      if (table.is_made(scope_))
        if (Table made = table.made(measured); !made.empty())
          result.tables.emplace(table.name, std::move(made));
  }

  // Simulates the run again, to follow the packets on the critical paths.
  void follow_critical_paths(const RunOptions& part) {
    SimulationOptions options{.seed = spec_.seed,
                              .backlog_limit = backlog_limit(),
                              .stop_when_done = simulation_options_.stop_when_done,
                              .keep_sent = true};
    const auto again = make_simulation(model_.network, model_.workload, options);
    paths_ = watch_critical_paths(jobs_of_run(), model_.flows, *again, spec_.seed, [&](Tick now) {
      throw_if_set(part.cancelled);
      part.report(std::min(1.0, static_cast<double>(now) / static_cast<double>(now_)));
    });
    while (again->run_until(now_, kTicksAtOnce) > 0) throw_if_set(part.cancelled);
    if (again->record().trace_hash != simulation_->record().trace_hash)
      throw InvariantError("the second simulation of the run differs from the first one");
  }

  void read_congestion() {
    const Network& network = model_.network;
    if (network.isolation) isolation_.push_back(read_isolation(network, simulation_->view(), now_, watch_));
    if (network.overflow) overflow_.push_back(simulation_->view().overflow_counts());
  }

  void judge(Result& result, const Window& window, bool steady) const {
    if (stall_.deadlocked) {
      result.status = Status::deadlock;
      result.detail = fmt::format("{} packets can never move: {}", stall_.packets, stall_.text);
      return;
    }
    if (model_.limit) {
      if (is_done()) return;
      result.status = Status::unfinished;
      result.detail = text_of_unfinished(jobs_of_run(), job_names());
      return;
    }
    const CancelScope scope(options_.cancelled);
    const Verdict verdict = verdict_of({model_, changes_, window, looks_, steady});
    result.status = verdict.status;
    result.detail = verdict.detail;
    result.longer = verdict.enough;
  }

  RunOptions options_;
  const EventSpec& spec_;
  RunScope scope_;
  std::vector<std::string> flows_;  // names, including traces and jobs
  Model model_;
  std::vector<std::pair<std::string, double>> cost_;
  std::optional<MessageTimes> messages_;  // if measured
  SimulationOptions simulation_options_;
  JobsAlone alone_;  // if requested
  std::unique_ptr<Simulation> simulation_;
  std::vector<LoadChange> changes_;
  std::optional<Fairness> fairness_;  // if requested
  Tick now_ = 0;
  std::vector<Reading> looks_;  // in the window; before the window, since the last change of a load
  Tick next_look_ = std::numeric_limits<Tick>::max();
  std::optional<StallWatch> stall_watch_;
  Stall stall_;
  std::unique_ptr<Observer> observer_;  // if requested
  IsolationWatch watch_;
  std::vector<IsolationReading> isolation_;  // at the start and at the end of each bin, including the warm-up
  std::vector<OverflowCounts> overflow_;     // when isolation_ is read
  std::vector<CriticalPath> paths_;          // if requested
};

}  // namespace

Result run(const Spec& spec, const RunOptions& options) {
  if (const Kernel* const other = other_kernel(spec)) return other->run(options);
  const ThreadScope scope(options.threads);
  return Run(std::get<EventSpec>(spec), options).result();
}

Parcel take_part(const Spec& spec, const RunOptions& options) {
  const ThreadScope scope(options.threads);
  if (const auto* event = std::get_if<EventSpec>(&spec)) return Run(*event, options).take_part();
  return options.ranks->broadcast({});
}

}  // namespace headway
