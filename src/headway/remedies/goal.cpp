// SPDX-License-Identifier: Apache-2.0
#include "headway/remedies/goal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "headway/config/nearest.h"
#include "headway/metrics/metric.h"
#include "headway/metrics/metric_names.h"
#include "headway/metrics/rows.h"
#include "headway/metrics/units.h"
#include "headway/why/conclusion.h"

namespace headway {
namespace {

// Of the offered load: with more of it delivered, no change could have an effect on the load.
constexpr double kNearlyAll = 1 / (1 + kNoEffect);

// "" for "latency_mean_ns", "train" for "train.completion_ns"
std::string_view row_of(std::string_view metric) {
  return metric.substr(0, std::min(metric.rfind('.'), metric.size()));
}

std::string in_row(std::string_view row, std::string_view metric) {
  return row.empty() ? std::string(metric) : metric_of_row(row, metric);
}

Goal named(const Result& base, const std::string& metric) {
  const bool is_there =
      std::ranges::any_of(base.metrics, [&](const auto& one) { return one.first == metric; });
  if (!is_there) {
    std::vector<std::string_view> names;
    for (const auto& [name, value] : base.metrics) names.push_back(name);
    const auto meant = nearest(metric, names);
    throw NoResult(fmt::format("the run has no metric \"{}\"{}", metric,
                               meant ? fmt::format("; did you mean \"{}\"?", *meant)
                                     : "; docs/metrics.md lists the metrics of runs"));
  }
  const bool has_row = metric.find('.') != std::string::npos;
  return {.metric = metric,
          .of = has_row ? std::string(row_of(metric)) : "",
          .more_is_better = grows_when_better(metric)};
}

// The flow that suffers, or all traffic.
std::string sufferer_of(const Conclusion& all) {
  if (all.flows.size() < 2) return "";
  if (all.sufferer) return all.flows[*all.sufferer].name;
  // not the one whose packets are in the way
  const FlowFinding* most = nullptr;
  for (std::size_t i = 0; i < all.flows.size(); ++i)
    if (i != all.culprit && (most == nullptr || all.flows[i].waiting_ns > most->waiting_ns))
      most = &all.flows[i];
  return most->name;
}

Goal of_flows(const PointResult& base) {
  const Conclusion all = conclude(base);
  const std::string flow = sufferer_of(all);
  const double offered = base.result.metric(in_row(flow, metrics::offered_load));
  const double accepted = base.result.metric(in_row(flow, metrics::accepted_load));
  if (offered > 0 && accepted < kNearlyAll * offered)
    return {.metric = in_row(flow, metrics::accepted_load), .of = flow, .more_is_better = true};
  // Choice: the 90th percentile, because a few packets to an overloaded node decide a mean or a higher one.
  // If a few links between switches are overloaded, the packets that cross them are what it is about.
  const bool is_about_few = flow.empty() && all.status == Status::saturated && all.limit == Limit::few_roots;
  return {.metric = in_row(flow, is_about_few ? metrics::latency_mean_ns : metrics::latency_p90_ns),
          .of = flow};
}

}  // namespace

std::optional<PathAccount> account_of(const PointResult& run, const Goal& goal) {
  return goal.is_of_job ? path_account(run, goal.of) : flow_account(run, goal.of);
}

bool grows_when_better(std::string_view metric) {
  const Metric* const known = find_metric(metric);
  return known != nullptr && known->grows_when_better;
}

double delivered_rate(const Result& result, std::string_view flow) {
  return result.metric(in_row(flow, metrics::packets_delivered)) / result.metric(metrics::duration_ns);
}

double Goal::value(const Result& result) const {
  if (result.status == Status::deadlock || (is_of_job && result.status == Status::unfinished)) return kNaN;
  return result.metric(metric);
}

double Goal::gain(const Result& base, const Result& changed) const {
  if (is_of_job && changed.status == Status::unfinished && !std::isnan(value(base))) return 0;
  const bool is_load = metric.ends_with(metrics::accepted_load) && !std::isnan(value(base) + value(changed));
  const double before = is_load ? delivered_rate(base, of) : value(base);
  const double after = is_load ? delivered_rate(changed, of) : value(changed);
  return more_is_better ? after / before : before / after;
}

Goal goal_of(const PointResult& base, const std::optional<std::string>& asked) {
  const std::vector<JobRow> jobs = rows_in<JobRow>(base.result);
  const auto is_job = [&](const std::string& name) {
    return std::ranges::any_of(jobs, [&](const JobRow& job) { return job.job == name; });
  };
  if (asked) {
    Goal goal = named(base.result, *asked);
    goal.is_of_job =
        is_job(goal.of) && goal.metric == in_row(goal.of, name_of_column(&JobRow::completion_ns));
    return goal;
  }
  if (!std::isnan(base.result.metric(metrics::turnaround_mean_ns)))
    return {.metric = std::string(metrics::turnaround_mean_ns)};
  // a job in the background never completes
  const std::vector<StepRow> steps = rows_in<StepRow>(base.result);
  for (const JobRow& job : jobs) {
    const bool has_path =
        std::ranges::any_of(steps, [&](const StepRow& step) { return step.job == job.job; });
    if (!has_path && std::isnan(job.completion_ns) && jobs.size() > 1) continue;
    return {.metric = in_row(job.job, name_of_column(&JobRow::completion_ns)),
            .of = std::string(job.job),
            .is_of_job = true};
  }
  return of_flows(base);
}

std::string gain_text(std::string_view metric, double gain) {
  if (std::isnan(gain)) return "not known";
  if (gain <= 0) return "slower: it did not end in time";
  if (std::abs(gain - 1) < kNoEffect || std::abs(1 / gain - 1) < kNoEffect) return "no change";
  const double factor = gain > 1 ? gain : 1 / gain;
  const std::string times = factor >= 100 ? fmt::format("{:.0f}", factor) : fmt::format("{:.3g}", factor);
  if (grows_when_better(metric)) return fmt::format("{} times {}", times, gain > 1 ? "as much" : "less");
  return fmt::format("{} times {}", times, gain > 1 ? "faster" : "slower");
}

}  // namespace headway
