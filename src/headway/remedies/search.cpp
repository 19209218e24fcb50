// SPDX-License-Identifier: Apache-2.0
#include "headway/remedies/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <span>
#include <utility>

#include "headway/metrics/metric_names.h"
#include "headway/metrics/root_name.h"
#include "headway/metrics/rows.h"

namespace headway {
namespace {

constexpr double kHardlyWaitsOnPath = 0.02;  // of a critical path: no change of queues can gain
constexpr double kGoodEnough = 0.8;  // of the gain of a perfect switch, in logarithms: no pairs are tried
constexpr std::size_t kMostConfirmed[] = {3, 4, 2};  // causes, remedies, pairs
constexpr int kPlacebos = 2;
constexpr double kOfWaiting = 0.1;  // of all waiting packets: enough to be what a network lacks
constexpr std::string_view kPostpones = "it only postpones: the network still does not carry its load";

class Searcher {
 public:
  Searcher(Trials& trials, const ChangeSource& from, const Trial& base, const SearchOptions& options)
      : trials_(trials),
        from_(from),
        base_(base),
        options_(options),
        runs_(trials.runs()),
        cpu_(trials.cpu_s()) {
    found_.goal = from.goal;
    found_.base = from.goal.value(*base.result());
    found_.ends = !std::isnan(found_.base);
    if (from.goal.is_of_job) path_ = from.account;
    found_.most_gain = path_ ? path_->most_gain(path_->lost_ns() + path_->slow_ns + path_->narrow_ns) : kNaN;
  }

  Found run() {
    measure_noise();
    std::vector<Change> first = things_there(from_);
    for (Change& bound : other_bounds(from_)) first.push_back(std::move(bound));
    run_all(without_hopeless(std::move(first)));
    run_all(options_.own);
    for (const ChangeGroup group : {ChangeGroup::traffic, ChangeGroup::rates, ChangeGroup::failures})
      if (helps(ChangeKind::cause, group)) run_all(members(from_, group));
    for (const ChangeGroup group : kGroupsOfRemedies) try_remedies(group);
    try_pairs();
    confirm();
    found_.runs = trials_.runs() - runs_;
    found_.cpu_s = trials_.cpu_s() - cpu_;
    return std::move(found_);
  }

 private:
  TrialSpec spec_of(const Change& change, std::uint64_t seed) const {
    return {.set = change.set, .seed = seed, .name = change.what};
  }
  double gain_of(const Trial& trial, const Trial& base) const {
    return trial.result() == nullptr || base.result() == nullptr
               ? kNaN
               : from_.goal.gain(*base.result(), *trial.result());
  }

  void measure_noise() {
    double noise = 0;
    std::vector<TrialSpec> specs;
    for (int placebo = 1; placebo <= kPlacebos; ++placebo)
      specs.push_back({.set = {{"what_if.stagger", Document(std::int64_t{placebo})}},
                       .seed = base_.of.seed,
                       .name = fmt::format("neutral change {}", placebo)});
    for (const Trial* const trial : trials_.run(specs))
      if (const double gain = gain_of(*trial, base_); gain > 0)
        noise = std::max(noise, std::max(gain, 1 / gain) - 1);
    found_.effect = std::max(from_.goal.least_effect(), kPlacebos * noise);
  }

  // Choice: causes come first, and a budget that ends leaves out remedies.
  void run_all(const std::vector<Change>& changes) {
    std::vector<TrialSpec> specs;
    std::vector<const Change*> run;
    for (const Change& change : changes) {
      if (change.kind != ChangeKind::own && is_known(change)) continue;
      if (!trials_.may_run(specs.size() + 1)) {
        found_.complete = false;
        skip(change, std::string(kOverBudget));
        continue;
      }
      specs.push_back(spec_of(change, base_.of.seed));
      run.push_back(&change);
    }
    const std::vector<const Trial*> trials = trials_.run(specs);
    for (std::size_t i = 0; i < trials.size(); ++i) {
      if (!trials[i]->point) {
        skip(*run[i], trials[i]->why_not);
        continue;
      }
      if (run[i]->group == ChangeGroup::memory && only_postpones(*trials[i]->result())) {
        skip(*run[i], std::string(kPostpones));
        continue;
      }
      Tried& row = found_.rows.emplace_back(Tried{.change = *run[i], .trial = trials[i]});
      row.gain = row.low = row.high = gain_of(*trials[i], base_);
      row.others_worst = others_worst(*trials[i]);
    }
  }
  // Queues that are not full yet at the end say nothing about a network that cannot carry its load, unless
  // packets wait for memories whose slots are all on the wire.
  bool only_postpones(const Result& result) const {
    if (result.status != Status::saturated) return false;
    double all = 0, on_the_wire = 0;
    for (const RootRow& root : rows_in<RootRow>(*base_.result())) {
      const double packets = root.packets + root.admittance_packets;
      all += packets;
      if (root.kind == name_of(RootKind::window)) on_the_wire += packets;
    }
    return !(on_the_wire >= kOfWaiting * all);
  }
  bool is_known(const Change& change) const {
    return std::ranges::any_of(found_.rows, [&](const Tried& row) {
      return settings_text(row.change.set) == settings_text(change.set);
    });
  }
  void skip(const Change& change, const std::string& why) {
    found_.rows.push_back({.change = change,
                           .skipped = why,
                           .gain = kNaN,
                           .low = kNaN,
                           .high = kNaN,
                           .seeds = 0,
                           .others_worst = kNaN});
  }

  // Bounds that the account rules out.
  std::vector<Change> without_hopeless(std::vector<Change> changes) {
    if (!path_) return changes;
    const std::map<ChangeGroup, double> most{
        // other parts can change with the one that a bound takes away
        {ChangeGroup::delay, path_->most_gain(path_->propagation_ns + path_->lost_ns())},
        {ChangeGroup::computing, path_->most_gain(path_->compute_ns + path_->overhead_ns + path_->lost_ns())},
        {ChangeGroup::fabric, found_.most_gain},
        {ChangeGroup::memory, found_.most_gain}};
    std::erase_if(changes, [&](const Change& change) {
      const auto bound = most.find(change.group);
      if (change.kind != ChangeKind::bound || bound == most.end() || bound->second >= 1 + found_.effect)
        return false;
      skip(change, fmt::format("at most {:.2f} times, by the account", bound->second));
      return true;
    });
    return changes;
  }

  double best_of(ChangeKind kind, std::optional<ChangeGroup> group = {}) const {
    double best = 0;
    for (const Tried& row : found_.rows)
      if (row.change.kind == kind && (!group || row.change.group == *group) && row.gain > best)
        best = row.gain;
    return best;
  }
  bool helps(ChangeKind kind, ChangeGroup group) const { return best_of(kind, group) >= 1 + found_.effect; }
  bool was_run(ChangeKind kind, ChangeGroup group) const {
    return std::ranges::any_of(found_.rows, [&](const Tried& row) {
      return row.change.kind == kind && row.change.group == group && row.trial != nullptr && row.gain > 0;
    });
  }
  // A perfect switch that could not be run leaves all open.
  bool is_fabric_open() const {
    if (path_ && found_.most_gain < 1 + found_.effect) return false;
    return !was_run(ChangeKind::bound, ChangeGroup::fabric) || helps(ChangeKind::bound, ChangeGroup::fabric);
  }
  bool hardly_waits() const { return path_ && path_->share(path_->wait_ns) < kHardlyWaitsOnPath; }

  // Why the remedies of a group cannot help; empty: they may.
  std::string why_closed(ChangeGroup group) const {
    if (group == ChangeGroup::program || !found_.ends) return "";
    if (group == ChangeGroup::allocation) return "";  // a perfect network has no more nodes
    if (group == ChangeGroup::rates) return "";       // links of nodes are outside the fabric
    if (group == ChangeGroup::queues && from_.spec.node.admittance != Admittance::per_destination) return "";
    if (!is_fabric_open()) return "one perfect switch gains nothing";
    const bool needs_waiting = group != ChangeGroup::placement && group != ChangeGroup::routing;
    if (needs_waiting && hardly_waits()) return "its critical path hardly waits";
    if (group == ChangeGroup::lanes && !helps(ChangeKind::cause, ChangeGroup::traffic))
      return "without the other traffic, nothing changes";
    if (group == ChangeGroup::memory && !helps(ChangeKind::bound, group)) return "more memory gains nothing";
    return "";
  }

  void try_remedies(ChangeGroup group) {
    std::vector<Change> all = remedies_of(from_, group);
    if (const std::string why = why_closed(group); !why.empty()) {
      for (const Change& change : all) skip(change, why);
      return;
    }
    if (group == ChangeGroup::rates && !is_fabric_open() && found_.ends)
      std::erase_if(all, [&](const Change& change) {
        const bool closed = change.set.front().value == Document(std::string("switches"));
        if (closed) skip(change, "one perfect switch gains nothing");
        return closed;
      });
    if (group != ChangeGroup::queues) return run_all(all);
    // Choice: other schemes separate less than these, so they are tried only if one of these gains, or cannot
    // be run, as with too little memory for its queues.
    const auto others = std::stable_partition(all.begin(), all.end(), [&](const Change& change) {
      return change.set.front().key != "switch.scheme" || separates_all(change.set.front().value);
    });
    const std::size_t before = found_.rows.size();
    run_all({all.begin(), others});
    const bool all_ran = std::ranges::all_of(std::span(found_.rows).subspan(before),
                                             [](const Tried& row) { return row.trial != nullptr; });
    if (!found_.ends || helps(ChangeKind::remedy, group) || !all_ran) return run_all({others, all.end()});
    for (const Change& change : std::span(others, all.end()))
      skip(change, "a queue per output or destination gains nothing");
  }

  bool separates_all(const Document& scheme) const {
    const Graph& graph = *from_.plan.graph;
    return choose(schemes(), *scheme.get<std::string>())->build(graph).separates_all();
  }

  // The best change of a group; null if none helps.
  const Tried* best_in(ChangeGroup group) const {
    const Tried* best = nullptr;
    for (const Tried& row : found_.rows)
      if ((row.change.kind == ChangeKind::remedy || row.change.kind == ChangeKind::cause) &&
          row.change.group == group && found_.helps(row) && (best == nullptr || row.gain > best->gain))
        best = &row;
    return best;
  }

  void try_pairs() {
    if (!found_.ends) return;
    std::vector<Change> pairs = pairs_of_causes();
    const double possible = best_of(ChangeKind::bound, ChangeGroup::fabric);
    const Tried* best = nullptr;
    for (const ChangeGroup group : kGroupsOfRemedies)
      if (const Tried* const row = best_in(group);
          row != nullptr && (best == nullptr || row->gain > best->gain))
        best = row;
    if (best != nullptr && std::log(best->gain) < kGoodEnough * std::log(possible)) {
      for (const ChangeGroup group : {ChangeGroup::routing, ChangeGroup::queues, ChangeGroup::placement,
                                      ChangeGroup::memory, ChangeGroup::lanes, ChangeGroup::traffic})
        if (group != best->change.group) add_pair(best->change, group, pairs);
    }
    // a program that became slower can lack memory
    for (const Tried& row : found_.rows)
      if (row.change.group == ChangeGroup::program && row.change.kind == ChangeKind::remedy &&
          row.trial != nullptr && row.gain < 1 - found_.effect &&
          from_.base.result.status != Status::saturated)
        pairs.push_back(pair_of(row.change, much_memory()));
    run_all(pairs);
  }
  // Causes can hide each other.
  std::vector<Change> pairs_of_causes() const {
    std::vector<Change> causes, pairs;
    for (const Tried& row : found_.rows)
      if (row.change.kind == ChangeKind::cause && row.trial != nullptr &&
          std::ranges::none_of(causes, [&](const Change& one) { return one.group == row.change.group; }))
        causes.push_back(row.change);
    for (std::size_t i = 0; i < causes.size(); ++i)
      for (std::size_t j = i + 1; j < causes.size(); ++j)
        if (helps(ChangeKind::cause, causes[i].group) || helps(ChangeKind::cause, causes[j].group))
          pairs.push_back(pair_of(causes[i], causes[j]));
    return pairs;
  }
  // With the best change of the group. Of routings, with each: one that makes it slower alone, because it
  // spreads congestion, can gain most with queues that confine it.
  void add_pair(const Change& one, ChangeGroup group, std::vector<Change>& pairs) const {
    if (group == ChangeGroup::routing) {
      for (const Tried& row : found_.rows)
        if (row.change.kind == ChangeKind::remedy && row.change.group == group && row.trial != nullptr)
          pairs.push_back(pair_of(one, row.change));
    } else if (const Tried* const other = best_in(group)) {
      pairs.push_back(pair_of(one, other->change));
    }
  }
  Change much_memory() const {
    const std::vector<Change> bounds = other_bounds(from_);
    return *std::ranges::find(bounds, ChangeGroup::memory, &Change::group);
  }
  static Change pair_of(const Change& one, const Change& other) {
    return {fmt::format("{}, and {}", one.what, other.what), ChangeKind::pair, one.group,
            merged(one.set, other.set)};
  }

  // Runs what will be told with other seeds, too: these are other cases, and say how general the gain is.
  void confirm() {
    if (options_.seeds < 2 || !found_.ends) return;
    std::vector<Tried*> rows;
    const ChangeKind kinds[] = {ChangeKind::cause, ChangeKind::remedy, ChangeKind::pair};
    for (std::size_t k = 0; k < std::size(kinds); ++k) {
      std::vector<Tried*> of_kind;
      for (Tried& row : found_.rows)
        if (row.change.kind == kinds[k] && found_.helps(row)) of_kind.push_back(&row);
      std::ranges::stable_sort(of_kind, std::ranges::greater(), &Tried::gain);
      if (of_kind.size() > kMostConfirmed[k]) of_kind.resize(kMostConfirmed[k]);
      rows.insert(rows.end(), of_kind.begin(), of_kind.end());
    }
    for (Tried& row : found_.rows)
      if (row.change.kind == ChangeKind::own && row.trial != nullptr) rows.push_back(&row);
    for (std::uint64_t more = 1; more < options_.seeds && !rows.empty(); ++more) {
      if (!trials_.may_run(rows.size() + 1)) {
        found_.complete = false;
        return;
      }
      const std::uint64_t seed = base_.of.seed + more;
      std::vector<TrialSpec> specs{{.seed = seed}};
      for (const Tried* const row : rows) specs.push_back(spec_of(row->change, seed));
      const std::vector<const Trial*> trials = trials_.run(specs);
      for (std::size_t i = 0; i < rows.size(); ++i)
        if (const double gain = gain_of(*trials[i + 1], *trials[0]); !std::isnan(gain)) {
          rows[i]->low = std::fmin(rows[i]->low, gain);
          rows[i]->high = std::fmax(rows[i]->high, gain);
          ++rows[i]->seeds;
        }
    }
  }

  // The smallest gain of what the goal is not about, except of what a change takes away.
  double others_worst(const Trial& trial) const {
    double worst = kNaN;
    const auto take = [&](double gain) { worst = std::fmin(worst, gain); };
    std::map<std::string_view, double> loads, times;
    for (const FlowRow& flow : rows_in<FlowRow>(*base_.result()))
      loads[flow.flow] = delivered_rate(*base_.result(), flow.flow);
    for (const JobRow& job : rows_in<JobRow>(*base_.result())) {
      if (!(job.completion_ns > 0)) continue;  // in the background
      loads.erase(job.job);
      times[job.job] = job.completion_ns;
    }
    for (const FlowRow& flow : rows_in<FlowRow>(*trial.result()))
      if (const auto before = loads.find(flow.flow); before != loads.end() && before->second > 0 &&
                                                     flow.flow != from_.goal.of && flow.packets_delivered > 0)
        take(delivered_rate(*trial.result(), flow.flow) / before->second);
    for (const JobRow& job : rows_in<JobRow>(*trial.result()))
      if (const auto before = times.find(job.job);
          before != times.end() && job.job != from_.goal.of && job.completion_ns > 0)
        take(before->second / job.completion_ns);
    return worst;
  }

  Trials& trials_;
  const ChangeSource& from_;
  const Trial& base_;
  const SearchOptions& options_;
  std::size_t runs_;
  double cpu_;
  std::optional<PathAccount> path_;  // of the goal's job
  Found found_;
};

}  // namespace

Found search(Trials& trials, const ChangeSource& from, const Trial& base, const SearchOptions& options) {
  return Searcher(trials, from, base, options).run();
}

Table table_of_remedies(const Found& found) {
  std::vector<RemedyRow> rows;
  std::vector<std::string> settings;
  settings.reserve(found.rows.size());
  for (const Tried& tried : found.rows) {
    settings.push_back(settings_text(tried.change.set));
    RemedyRow row{.change = tried.change.what,
                  .kind = name_of(tried.change.kind),
                  .group = name_of(tried.change.group),
                  .settings = settings.back(),
                  .metric = found.goal.metric,
                  .base = found.base,
                  .effect = found.effect,
                  .gain = tried.gain,
                  .gain_low = tried.low,
                  .gain_high = tried.high,
                  .seeds = static_cast<double>(tried.seeds),
                  .others_worst = tried.others_worst,
                  .most_gain = found.most_gain,
                  .skipped = tried.skipped};
    if (tried.trial != nullptr && tried.trial->result() != nullptr) {
      const Result& result = *tried.trial->result();
      row.value = found.goal.value(result);
      row.status = name_of(result.status);
      row.accepted_load = result.metric(metrics::accepted_load);
      row.queues_per_port = result.metric(metrics::queues_per_port);
      row.cam_lines_per_port = result.metric(metrics::cam_lines_per_port);
      row.port_memory_bytes = result.metric(metrics::port_memory_bytes);
      row.lanes = result.metric(metrics::lanes);
      row.out_of_order_packets = result.metric(metrics::out_of_order_packets);
      row.events = tried.trial->events;
    }
    rows.push_back(row);
  }
  return remedies_of_rows(rows);
}

}  // namespace headway
