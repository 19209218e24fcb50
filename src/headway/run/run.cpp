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
#include "headway/base/every_second.h"
#include "headway/base/together.h"
#include "headway/compile/build.h"
#include "headway/compile/cost.h"
#include "headway/compile/memory.h"
#include "headway/compile/run_scope.h"
#include "headway/engine/parts.h"
#include "headway/engine/simulation.h"
#include "headway/engine/skip.h"
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
#include "headway/run/drive.h"
#include "headway/run/hooks.h"
#include "headway/run/steady_state.h"
#include "headway/run/verdict.h"
#include "headway/spec/flow_names.h"
#include "headway/spec/what_if.h"
#include "headway/spec/write_spec.h"

namespace headway {
namespace {

// One run in progress: warm-up, measurement, and the series over both.
class Run {
 public:
  Run(const EventSpec& spec, const RunOptions& options, const RunProgress& progress = {})
      : options_(options),
        progress_(progress),
        spec_(spec),
        scope_(scope_of(spec)),
        flows_(flow_names_in_results(spec)),
        model_(model_of(spec, options)),
        messages_(measured_messages()),
        simulation_options_(simulation_options()),
        changes_(disturbances_of(model_)) {
    cost_ = cost_of(spec, model_.network.graph, model_.network.queue_map, model_.network);
    if (scope_.meets(Needs::fairness))
      fairness_.emplace(model_.network, model_.workload, spec_.measure.victims_below);
  }

  Result result() {
    const double cpu_before = cpu_so_far();
    Result result;
    // first, so that two simulations never take memory at the same time
    const double alone_to = spec_.measure.alone ? follows_paths() ? 1.0 / 3 : 1.0 / 2 : 0;  // of the progress
    const double paths_from = follows_paths() ? (1 + alone_to) / 2 : 1;
    if (spec_.measure.alone) run_alone(progress_.part(0, alone_to));
    if (options_.hooks != nullptr && options_.hooks->begin)
      options_.hooks->begin(model_.network, model_.workload, simulation_options_);
    simulation_ = make_simulation(model_.network, model_.workload, simulation_options_);
    drive_.emplace(*simulation_, model_.network, pace(), options_, progress_.part(alone_to, paths_from),
                   [this] { return share_done(); });
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
    std::unique_ptr<Window> window = open_window(drive_->now());
    if (!model_.limit) start_looking();
    if (observer_) observer_->begin_measurement();
    const std::size_t measured_from = warmup->readings().size() - 1;
    if (model_.limit && !spec_.measure.bin && spec_.observe.waiting)
      advance_to_the_end(*window);
    else
      advance(*window, model_.limit.value_or(drive_->now() + model_.duration));
    if (!drive_->has_ended()) drive_->find_stall();

    if (follows_paths() && !drive_->stall().deadlocked) follow_critical_paths(progress_.part(paths_from, 1));
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
    tell_skips(result);
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
  static constexpr Tick kPieces = 16;  // parts of a bin, which can take long if a trace is replayed
  static constexpr std::uint64_t kTicksAtOnce = 1 << 16;

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
    options.skip = options_.skip;
    options.count_pairs = spec_.measure.has("per-pair") || spec_.measure.has("pair-series");
    options.count_received = spec_.has_destinations();
    options.backlog_limit = backlog_limit();
    options.threads = options_.threads;
    options.processes = options_.processes;
    if (options_.hooks != nullptr) {
      options.always_cut = options_.hooks->always_cut;
      options.always_look = options_.hooks->always_look;
      options.left_out = options_.hooks->left_out;
      options.kept_messages = options_.hooks->kept_messages;
    }
    if (scope_.meets(Needs::several_flows)) options.count_flows = &model_.flows;
    if (scope_.meets(Needs::classes)) options.count_classes = &model_.classes;
    options.count_by_generator = scope_.meets(Needs::waiting_flows);
    options.keep_sent = scope_.meets(Needs::waiting_flows);
    options.kept_of_jobs = {.ops = scope_.asks("per-operation"),
                            .causes = scope_.meets(Needs::critical_path)};
    options.stop_when_done = model_.limit.has_value();
    if (messages_ && !model_.workload.jobs.empty())
      options.job_messages = [this](const JobMessage& message) { messages_->take(message); };
    options.deliveries_of_flows = !counts_deliveries();
    if ((messages_ && model_.workload.first_job_generator() > 0) || counts_deliveries())
      options.deliveries = [this](std::span<const Delivery> deliveries) {
        if (messages_) messages_->take(deliveries);
        if (counts_deliveries()) observer_->census()->count(deliveries);
      };
    return options;
  }

  void tell_threads(Result& result) const {
    progress_.report_threads(simulation_->threads());
    if ((options_.threads == 1 && options_.processes == nullptr) || simulation_->threads() > 1) return;
    result.one_thread = why_one_thread(model_.network, model_.workload, simulation_options_);
    if (result.one_thread.empty()) result.one_thread = "more threads would not make it faster";
  }

  void tell_skips(Result& result) const {
    result.skipped_hops = simulation_->skipped().packet_hops;
    result.skips = simulation_->skipped().skips;
    if (model_.workload.jobs.empty()) return;
    result.no_skip = why_no_skip(model_.network, model_.workload, simulation_options_);
    if (result.no_skip.empty() && simulation_->threads() > 1) result.no_skip = "several threads simulate it";
    result.long_messages = has_long_messages(model_.network, model_.workload, kLongMessage);
  }

  // The remaining memory of the run; more than 0 even if the estimate of the rest exceeds the total.
  std::uint64_t backlog_limit() const {
    const std::uint64_t rest = model_.need.start + (options_.check ? model_.need.checking : 0);
    return std::max(options_.memory - std::min(options_.memory, rest), options_.memory / 8);
  }

  void run_alone(const RunProgress& progress) {
    SimulationOptions options;
    options.seed = simulation_options_.seed;
    options.check = simulation_options_.check;
    options.skip = simulation_options_.skip;
    options.backlog_limit = simulation_options_.backlog_limit;
    options.threads = simulation_options_.threads;
    options.always_cut = simulation_options_.always_cut;
    alone_ = run_jobs_alone(model_.network, model_.workload, job_names(), model_.limit.value_or(latest_end()),
                            options, options_, progress);
  }
  bool follows_paths() const { return scope_.meets(Needs::critical_path); }

  // Without a limit: the latest end of the measured window.
  Tick latest_end() const {
    return model_.warmup.value_or(last_change() + kWarmupLimit * model_.duration) + model_.duration;
  }
  Tick last_change() const { return changes_.empty() ? 0 : changes_.back().at; }

  bool counts_deliveries() const { return scope_.meets(Needs::waiting); }  // in the census of photographs

  std::unique_ptr<Observer> make_observer() const {
    const auto watched = static_cast<NodeId>(spec_.measure.watch_destination.value_or(kNone));
    auto census =
        std::make_unique<FlowCensus>(model_.network, model_.flows, spec_.measure.has("per-pair"), spec_.seed);
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
    while (drive_->now() < end && !drive_->has_ended())
      step(window, std::min(end, drive_->now() + model_.bin));
    return !drive_->stall().deadlocked;
  }

  // Until jobs are done, which nobody knows before: whenever there are twice as many bins as wanted, each two
  // become one. Choice: the first ones take a ten-thousandth of the time of a full packet, so that the
  // shortest run has enough. The width depends on nothing else, so runs have ends of bins in common. Choice:
  // only runs with photographs, which stop at them anyway; the others would skip less of what repeats itself
  // (engine/skip.h).
  void advance_to_the_end(Window& window) {
    constexpr std::size_t kBins = kBinsByDefault;
    const std::size_t first = isolation_.empty() ? 0 : isolation_.size() - 1,
                      first_overflow = overflow_.empty() ? 0 : overflow_.size() - 1,
                      observed = observer_ ? observer_->bins().size() : 0;
    const Tick packet = Tick{model_.network.packet_bytes} * model_.network.ports.front().ticks_per_byte;
    Tick bin = std::max<Tick>(packet / 10'000, 1);
    while (drive_->now() < *model_.limit && !drive_->has_ended()) {
      step(window, std::min(*model_.limit, drive_->now() + bin));
      if (window.bins() < 2 * kBins) continue;
      bin *= 2;
      window.join_bins();
      if (messages_) messages_->join_bins();
      if (observer_) observer_->join_bins(observed);
      keep_every_second(isolation_, first);
      keep_every_second(overflow_, first_overflow);
    }
  }

  Drive::Pace pace() const {
    if (model_.limit) return Drive::until_done(*model_.limit);
    return {.piece = std::max<Tick>(model_.bin / (model_.workload.traces.empty() ? 1 : kPieces), 1)};
  }
  // Of the simulation.
  double share_done() const {
    if (model_.limit) return jobs_of_run().share_done();
    const Tick now = drive_->now();
    const Tick total =
        model_.warmup.value_or(std::max(now - model_.duration, model_.duration / 2)) + model_.duration;
    return std::min(1.0, static_cast<double>(now) / static_cast<double>(total));
  }

  JobsOfRun jobs_of_run() const {
    return {model_.network, model_.workload, simulation_->jobs(), alone_.completion, drive_->now()};
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
    window.close_bin(drive_->now());
    if (messages_) messages_->close_bin();
    if (observer_) observer_->close_bin();
    read_congestion();
    if (!model_.limit) drive_->look_for_deadlock();
  }

  // Simulates in pieces that end at the observations.
  void run_until(Tick to) {
    while (drive_->now() < to && !drive_->has_ended()) {
      drive_->advance(std::min({to, next_look_, observer_ ? observer_->next() : to}));
      if (drive_->is_done()) return;
      if (drive_->now() == next_look_) look();
      if (observer_ && drive_->now() == observer_->next()) observer_->look(*simulation_);
    }
  }

  // The verdict reads the counters at its own times, which do not depend on the bins.
  void start_looking() {
    looks_.clear();
    look();
  }
  void look() {
    looks_.push_back(read(*simulation_, drive_->now()));
    next_look_ = drive_->now() + std::max<Tick>(model_.duration / kObservations, 1);
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
    while (drive_->now() < limit && !drive_->has_ended()) {
      step(window, drive_->now() + model_.bin);
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
                               .stall = drive_->stall(),
                               .cut_off = model_.cut_off,
                               .isolation = isolation_,
                               .overflow = overflow_,
                               .jobs = model_.workload.jobs.empty() ? nullptr : &jobs,
                               .paths = paths_,
                               .demand = demand};
    for (const TableKind& table : result_tables())
      if (table.is_made(scope_))
        if (Table made = table.made(measured); !made.empty()) {
          number_as_spec(made);
          result.tables.emplace(table.name, std::move(made));
        }
  }

  // Of nodes with several links, the tables have one of their links; results have the node.
  void number_as_spec(Table& table) const {
    const Graph& graph = model_.network.graph;
    if (graph.hosts().none()) return;
    for (Column& column : table)
      if (numbered_by(column.name) == Numbered::nodes || column.name == "node" ||
          column.name == "behind_destination")
        for (double& value : column.values)
          if (!std::isnan(value)) value = graph.node_of_spec(static_cast<NodeId>(value));
  }

  // Simulates the run again, to follow the packets on the critical paths.
  void follow_critical_paths(const RunProgress& progress) {
    SimulationOptions options{.seed = spec_.seed,
                              .backlog_limit = backlog_limit(),
                              .stop_when_done = simulation_options_.stop_when_done,
                              .keep_sent = true};
    const auto again = make_simulation(model_.network, model_.workload, options);
    const Tick end = drive_->now();
    Drive drive(*again, model_.network, {}, options_, progress, [&] {
      return std::min(1.0, static_cast<double>(again->view().now()) / static_cast<double>(end));
    });
    paths_ = watch_critical_paths(jobs_of_run(), model_.flows, drive, spec_.seed);
    while (drive.advance_ticks(end, kTicksAtOnce) > 0) continue;
    if (again->record().trace_hash != simulation_->record().trace_hash)
      throw InvariantError("the second simulation of the run differs from the first one");
  }

  void read_congestion() {
    const Network& network = model_.network;
    if (network.isolation)
      isolation_.push_back(read_isolation(network, simulation_->view(), drive_->now(), watch_));
    if (network.overflow) overflow_.push_back(simulation_->view().overflow_counts());
  }

  void judge(Result& result, const Window& window, bool steady) const {
    if (const Stall& stall = drive_->stall(); stall.deadlocked) {
      result.status = Status::deadlock;
      result.detail = fmt::format("{} packets can never move: {}", stall.packets, stall.text);
      return;
    }
    if (model_.limit) {
      if (drive_->is_done()) return;
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

  const RunOptions& options_;
  const RunProgress progress_;
  const EventSpec& spec_;
  RunScope scope_;
  std::vector<std::string> flows_;  // names, including traces and jobs
  Model model_;
  std::vector<std::pair<std::string, double>> cost_;
  std::optional<MessageTimes> messages_;  // if measured
  SimulationOptions simulation_options_;
  JobsAlone alone_;  // if requested
  std::unique_ptr<Simulation> simulation_;
  std::optional<Drive> drive_;  // of the simulation
  std::vector<Disturbance> changes_;
  std::optional<Fairness> fairness_;  // if requested
  std::vector<Reading> looks_;        // in the window; before the window, since the last change of a load
  Tick next_look_ = std::numeric_limits<Tick>::max();
  std::unique_ptr<Observer> observer_;  // if requested
  IsolationWatch watch_;
  std::vector<IsolationReading> isolation_;  // at the start and at the end of each bin, including the warm-up
  std::vector<OverflowCounts> overflow_;     // when isolation_ is read
  std::vector<CriticalPath> paths_;          // if requested
};

}  // namespace

Result run(const Spec& spec, const RunOptions& options, const RunProgress& progress) {
  if (const Kernel* const other = other_kernel(spec)) return other->run(options, progress);
  const ThreadScope scope(options.threads);
  const EventSpec simulated = with_changes(std::get<EventSpec>(spec));
  return Run(simulated, options, progress).result();
}

Parcel take_part(const Spec& spec, const RunOptions& options) {
  const ThreadScope scope(options.threads);
  const auto* const event = std::get_if<EventSpec>(&spec);
  if (event == nullptr) return options.processes->broadcast({});
  const EventSpec simulated = with_changes(*event);
  return Run(simulated, options).take_part();
}

}  // namespace headway
