// SPDX-License-Identifier: Apache-2.0
#include "headway/cli/results_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "headway/base/plural.h"
#include "headway/base/visible.h"
#include "headway/base/wrapped.h"
#include "headway/metrics/metric.h"
#include "headway/metrics/metric_names.h"
#include "headway/metrics/rows.h"
#include "headway/spec/flow_names.h"

namespace headway::cli {
namespace {

constexpr std::string_view kShownMetrics[] = {metrics::offered_load, metrics::accepted_load,
                                              metrics::latency_mean_ns, metrics::latency_p99_ns};
constexpr std::string_view kJobMetrics[] = {metrics::makespan_ns, metrics::offered_load,
                                            metrics::accepted_load, metrics::latency_mean_ns,
                                            metrics::latency_p99_ns};
constexpr std::string_view kWaitingJobMetrics[] = {metrics::makespan_ns,       metrics::turnaround_mean_ns,
                                                   metrics::node_wait_mean_ns, metrics::job_slowdown_mean,
                                                   metrics::nodes_taken,       metrics::accepted_load};
constexpr std::string_view kFairMetrics[] = {metrics::offered_load,    metrics::accepted_load,
                                             metrics::fair_efficiency, metrics::latency_mean_ns,
                                             metrics::jain_index,      metrics::victims};
constexpr std::string_view kFlowMetrics[] = {metrics::offered_load,    metrics::accepted_load,
                                             metrics::latency_mean_ns, metrics::latency_p99_ns,
                                             metrics::victim_wait_ns,  metrics::slowdown_p99};
const std::string_view kAloneMetrics[] = {
    name_of_column(&JobRow::node_wait_ns), name_of_column(&JobRow::completion_ns),
    name_of_column(&JobRow::alone_ns), name_of_column(&JobRow::slowdown)};
// What a narrow table leaves out first; then the last metrics.
constexpr std::string_view kLeastNeeded[] = {metrics::saturation_load_low, metrics::saturation_load_high,
                                             metrics::saturation_limit, metrics::offered_load};
constexpr std::size_t kMostNamedRows = 60;
constexpr std::size_t kMostNotes = 6;
constexpr std::size_t kStatusWidth = 10, kLimitsWidth = 10;
constexpr std::string_view kLatency = "latency";
constexpr std::string_view kLimitedBy = "limited_by";

// Decimal places for four significant digits: 0.9876, 12.35, 1234.
int places(double value) {
  if (std::abs(value) < 1) return 4;
  return std::clamp(3 - static_cast<int>(std::floor(std::log10(std::abs(value)))), 0, 3);
}

std::string number(const Result& result, std::string_view name) {
  const double value = result.metric(name);
  if (std::isnan(value)) return "-";
  std::string text = fmt::format("{:.{}f}", value, places(value));
  for (const auto& [metric, half_width] : result.intervals)
    if (metric == name) text += fmt::format(" ±{:.{}f}", half_width, places(value));
  return text;
}

std::string padded_left(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, columns(text)), ' ') + text;
}

// "6, 14, 22", or the names of the nodes; shortened if there are many. With several seeds, "6 (3 of 4
// seeds)", the most frequent victims first.
std::string victims_of(const PointResult& point) {
  constexpr std::size_t kShown = 24;
  const auto runs = static_cast<double>(std::max<std::size_t>(point.runs.size(), 1));
  struct Victim {
    double node, share;  // of the seeds
  };
  std::vector<Victim> victims;
  for (const DestinationRow& row : rows_in<DestinationRow>(point.result))
    if (row.victim > 0) victims.push_back({row.destination, row.victim});
  std::ranges::stable_sort(victims, std::ranges::greater{}, &Victim::share);
  const std::size_t shown = std::min(victims.size(), kShown);
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) {
    const std::vector<std::string>& names = point.names.nodes;
    const auto node = static_cast<std::size_t>(victims[i].node);
    text += fmt::format("{}{}", i == 0 ? "" : ", ",
                        node < names.size() ? visible(names[node]) : std::to_string(node));
    if (runs > 1) text += fmt::format(" ({:.0f} of {:.0f} seeds)", victims[i].share * runs, runs);
  }
  if (shown < victims.size()) text += fmt::format(" and {} more", victims.size() - shown);
  return text;
}

std::set<std::string, std::less<>> names_of_copies(const EventSpec& spec) {
  const std::vector<std::string> names = flow_names(spec.traffic);
  std::set<std::string, std::less<>> copies;
  for (std::size_t job = 0; job < spec.traffic.jobs.size(); ++job)
    if (spec.traffic.jobs[job].copies > 1)
      copies.insert(names[names.size() - spec.traffic.jobs.size() + job]);
  return copies;
}

}  // namespace

ResultsTable::ResultsTable(const Experiment& experiment, std::size_t width,
                           std::span<const std::string_view> metrics)
    : width_(width),
      metrics_(std::begin(kShownMetrics), std::end(kShownMetrics)),
      flows_{.title = "flow", .table = FlowRow::kTable, .wanted = kFlowMetrics},
      classes_{.title = "class", .table = "per_class", .wanted = kShownMetrics},
      jobs_{.title = "job", .table = JobRow::kTable, .wanted = kAloneMetrics},
      cell_width_(experiment.seeds > 1 ? 17 : 9),
      until_(experiment.until ? experiment.until->metric : "") {
  if (experiment.points.empty()) return;
  const Spec first = experiment.points.front().spec();
  if (const auto* spec = std::get_if<EventSpec>(&first)) {
    if (spec->measure.until == Until::done) metrics_.assign(std::begin(kJobMetrics), std::end(kJobMetrics));
    if (std::ranges::any_of(spec->traffic.jobs, &JobSpec::exclusive)) {
      metrics_.assign(std::begin(kWaitingJobMetrics), std::end(kWaitingJobMetrics));
      if (!spec->measure.alone) std::erase(metrics_, metrics::job_slowdown_mean);
    }
    copies_ = names_of_copies(*spec);
    if (spec->measure.has("fairness")) metrics_.assign(std::begin(kFairMetrics), std::end(kFairMetrics));
  } else {
    const std::span<const std::string_view> shown = other_kernel(first)->shown_metrics();
    metrics_.assign(shown.begin(), shown.end());
    cell_width_ = 17;  // every run has intervals
  }
  if (!metrics.empty()) metrics_.assign(metrics.begin(), metrics.end());
  limits_ = std::ranges::find(metrics_, metrics::saturation_load) != metrics_.end();
  if (const auto* spec = std::get_if<EventSpec>(&first); spec != nullptr && spec->measure.has("cost"))
    for (const Metric& metric : cost_metrics()) metrics_.push_back(metric.name);
  for (const std::string& key : short_keys(experiment.points.front().params)) {
    const std::size_t p = keys_.size();
    keys_.push_back(visible(key));
    widths_.push_back(columns(keys_.back()));
    for (const Point& point : experiment.points)
      widths_.back() = std::max(widths_.back(), columns(visible(point.params[p].second)));
  }
  const std::size_t before = columns(titles_of_params()) + kStatusWidth + (limits_ ? kLimitsWidth + 2 : 0);
  hidden_ = keep_fitting(metrics_, before);
}

// Removes metrics until the others fit behind `before` columns, and returns them in their order. One metric
// stays.
std::vector<std::string_view> ResultsTable::keep_fitting(std::vector<std::string_view>& metrics,
                                                         std::size_t before) const {
  const std::vector<std::string_view> all = metrics;
  std::size_t used = before;
  for (const std::string_view metric : metrics) used += 2 + width_of(metric);
  const auto drop = [&](auto metric) {
    used -= 2 + width_of(*metric);
    metrics.erase(metric);
  };
  for (const std::string_view metric : kLeastNeeded)
    if (const auto found = std::ranges::find(metrics, metric);
        used > width_ && found != metrics.end() && metrics.size() > 1)
      drop(found);
  while (used > width_ && metrics.size() > 1) drop(metrics.end() - 1);
  std::vector<std::string_view> hidden;
  for (const std::string_view metric : all)
    if (std::ranges::find(metrics, metric) == metrics.end()) hidden.push_back(metric);
  return hidden;
}

std::size_t ResultsTable::width_of(std::string_view metric) const {
  return std::max(cell_width_, metric.size());
}

std::string ResultsTable::titles_of_params() const {
  std::string text;
  for (std::size_t p = 0; p < keys_.size(); ++p) text += fmt::format("{:<{}}  ", keys_[p], widths_[p]);
  return text;
}

std::string ResultsTable::params_of(const PointResult& point) const {
  std::string text;
  for (std::size_t p = 0; p < keys_.size(); ++p)
    text += fmt::format("{:<{}}  ", visible(point.params[p].second), widths_[p]);
  return text;
}

// `name` is the metric of the run or of a flow.
std::string ResultsTable::cell(const Result& result, std::string_view name, std::string_view metric) const {
  const bool doubtful = result.status != Status::ok && metric.starts_with(kLatency);
  return "  " + padded_left(number(result, name) + (doubtful ? "*" : ""), width_of(metric));
}

std::string ResultsTable::header() const {
  std::string text = titles_of_params() + fmt::format("{:<{}}", "status", kStatusWidth);
  if (limits_) text += fmt::format("  {:<{}}", kLimitedBy, kLimitsWidth);
  for (const std::string_view metric : metrics_) text += fmt::format("  {:>{}}", metric, width_of(metric));
  return text + '\n';
}

std::string ResultsTable::row(const PointResult& point, const Terminal& terminal) {
  const Result& result = point.result;
  if (point.narrow_enough) ++(*point.narrow_enough ? narrow_ : wide_);
  std::string text = params_of(point);
  const std::string status = fmt::format("{:<{}}", name_of(result.status), kStatusWidth);
  text += result.status == Status::ok         ? status
          : result.status == Status::deadlock ? terminal.red(status)
                                              : terminal.yellow(status);
  if (limits_) text += fmt::format("  {:<{}}", result.limited_by, kLimitsWidth);
  for (const std::string_view metric : metrics_) text += cell(result, metric, metric);
  add(point, flows_);
  add(point, classes_);
  if (has_column(result, &JobRow::slowdown) || !copies_.empty() || has_column(result, &JobRow::node_wait_ns))
    add(point, jobs_);
  std::string where;
  for (std::size_t p = 0; p < keys_.size(); ++p)
    where += fmt::format("{}{} = {}", where.empty() ? "" : ", ", keys_[p], visible(point.params[p].second));
  if (!where.empty()) where += ": ";
  doubtful_ |= result.status != Status::ok;
  if (!result.detail.empty())
    notes_.push_back(fmt::format("{}{}: {}", where, name_of(result.status), visible(result.detail)));
  if (const std::string victims = victims_of(point); !victims.empty()) victims_.push_back(where + victims);
  if (const double pairs = result.metric(metrics::cut_off_pairs); pairs > 0) {
    const double share = result.metric(metrics::cut_off_share);
    cut_off_.push_back(fmt::format("{}{:.0f} pairs", where, pairs) +
                       (std::isnan(share) ? "" : fmt::format(", {:.4g} % of the load", 100 * share)));
  }
  return text + '\n';
}

void ResultsTable::add(const PointResult& point, RowsByName& named) const {
  const Table& table = point.result.table(named.table);
  if (table.empty()) return;
  std::vector<std::string> names = table.front().words;
  named.copies += std::erase_if(names, [&](const std::string& name) { return copies_.contains(name); });
  for (const std::string& name : names) named.width = std::max(named.width, name.size());
  if (named.metrics.empty()) {
    for (const std::string_view metric : named.wanted)
      if (find_column(table, metric) != nullptr) named.metrics.push_back(metric);
    named.hidden = keep_fitting(named.metrics, columns(titles_of_params()) + named.width);
  }
  for (const std::string& name : names) {
    RowsByName::Row& row = named.rows.emplace_back(RowsByName::Row{params_of(point), name, ""});
    for (const std::string_view metric : named.metrics)
      row.cells += cell(point.result, metric_of_row(name, metric), metric);
  }
}

std::string ResultsTable::by_name() const { return text_of(flows_) + text_of(classes_) + text_of(jobs_); }

std::string ResultsTable::text_of(const RowsByName& named) const {
  if (named.rows.empty()) return "";
  std::string text = fmt::format("\n{}{:<{}}", titles_of_params(), named.title, named.width);
  for (const std::string_view metric : named.metrics)
    text += fmt::format("  {:>{}}", metric, width_of(metric));
  const std::size_t shown = std::min(named.rows.size(), kMostNamedRows);
  for (const RowsByName::Row& row : std::span(named.rows).first(shown))
    text += fmt::format("\n{}{:<{}}{}", row.params, row.name, named.width, row.cells);
  if (shown < named.rows.size())
    text += fmt::format("\n... and {} more rows: {}.csv of --out DIR has all", named.rows.size() - shown,
                        named.table);
  return text + '\n';
}

std::string ResultsTable::notes(bool with_reasons) const {
  std::string text;
  if (!hidden_.empty())
    text += fmt::format("not shown: {} (--json and results.csv of --out DIR have all metrics)\n",
                        fmt::join(hidden_, ", "));
  for (const RowsByName* named : {&flows_, &classes_, &jobs_})
    if (!named->hidden.empty())
      text += fmt::format("not shown of {}: {} ({}.csv of --out DIR has all)\n", several(named->title),
                          fmt::join(named->hidden, ", "), named->table);
  if (jobs_.copies > 0) text += fmt::format("copies of jobs: {}.csv of --out DIR has them\n", jobs_.table);
  if (doubtful_) text += "* not a steady state: this latency depends on the length of the run\n";
  if (doubtful_ && std::ranges::find(flows_.metrics, metrics::victim_wait_ns) != flows_.metrics.end())
    text += fmt::format("{}: also the waiting of packets that are not delivered, per delivered packet\n",
                        metrics::victim_wait_ns);
  if (with_reasons) {
    for (const std::string& note : std::span(notes_).first(std::min(notes_.size(), kMostNotes)))
      text += fmt::format("  {}\n", note);
    if (notes_.size() > kMostNotes)
      text += fmt::format("  ... and {} more points: results.json of --out DIR has the reasons of all\n",
                          notes_.size() - kMostNotes);
  }
  if (wide_ > 0)
    text += fmt::format("at {} of {} points the interval of {} is not narrow enough\n", wide_,
                        wide_ + narrow_, until_);
  if (!victims_.empty()) text += "victims (destinations that received too little of their fair share)\n";
  for (const std::string& victims : victims_) text += fmt::format("  {}\n", victims);
  if (!cut_off_.empty()) text += "cut off (pairs of nodes that failed links leave without a path)\n";
  for (const std::string& cut_off : cut_off_) text += fmt::format("  {}\n", cut_off);
  return text;
}

}  // namespace headway::cli
