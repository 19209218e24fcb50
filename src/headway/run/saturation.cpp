// SPDX-License-Identifier: Apache-2.0
#include "headway/run/saturation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "headway/base/memo.h"
#include "headway/compile/run_cost.h"
#include "headway/metrics/metric.h"
#include "headway/metrics/metric_names.h"
#include "headway/metrics/units.h"

namespace headway {
namespace {

// A latency whose unit does not depend on the load.
double latency_of(const Result& result) {
  const double latency = result.metric(metrics::latency_mean_ns);
  return std::isnan(latency) ? result.metric(metrics::normalised_delay) : latency;
}

struct Trial {
  Result result;
  double load = 0;
  std::string refused;     // why the load is not sustained; empty if it is
  std::string limited_by;  // what it does not meet (Result::limited_by)
  double limit = kNaN;     // its number, unless it is the verdict
};

void lengthen(EventSpec& spec, std::int64_t factor) {
  spec.measure.duration.ns = spec.measure.duration.ns * Rational(factor);
  if (spec.measure.warmup) spec.measure.warmup->ns = spec.measure.warmup->ns * Rational(factor);
}
void lengthen(SlottedSpec& spec, std::int64_t factor) {
  spec.slots *= factor;
  spec.warmup_slots *= factor;
}

void set_load(EventSpec& spec, double load) {
  const double largest = largest_load(spec);
  for (FlowSpec& flow : spec.traffic.flows)
    for (LoadSpec::Point& point : flow.load.points) point.load = point.load / largest * load;
}
void set_load(SlottedSpec& spec, double load) { spec.load = load; }

// One search: the limits for every load, and the runs.
class Search {
 public:
  Search(const Spec& spec, const SaturationSearch& search, const RunOptions& options,
         const RunProgress& progress)
      : spec_(spec), search_(search), options_(options), progress_(progress), loads_left_(runs_of(search)) {}

  Result result() {
    Trial lowest = attempt(search_.lowest, kLongestAtFullLoad / search_.lowest);
    if (!lowest.refused.empty()) {
      const Trial refused = lowest;
      return answer(std::move(lowest), refused);
    }
    if (!search_.latency) limit_ = search_.times * latency_of(lowest.result);
    Trial best = std::move(lowest);
    Trial refused{.load = 1, .limited_by = std::string(kFullLoad)};  // at the lowest load that was refused
    double high = 1;
    for (double load = 1; load == 1 || high - best.load > search_.precision; load = (best.load + high) / 2) {
      Trial trial = attempt(load, kLongest);
      if (trial.refused.empty())
        best = std::move(trial);
      else
        refused = std::move(trial), high = load;
      if (best.load == 1) break;
    }
    return answer(std::move(best), refused);
  }

 private:
  // Choice: a run that is too short for a verdict is repeated once with the length that the verdict
  // recommends, but with at most this factor. At the lowest load, where a run is cheap, the factor is larger
  // in proportion. A load that is still undecided counts as not sustained.
  static constexpr double kLongest = 4, kLongestAtFullLoad = 10;
  // Values of Result::limited_by, besides the statuses.
  static constexpr std::string_view kShare = "share", kLatency = "latency", kMemory = "memory",
                                    kFullLoad = "full load";

  Trial attempt(double load, double longest) {
    // Every load has an equal part of the progress that is left; the second half of it is for a repeated run.
    const double begin = done_, end = begin + (1 - begin) / std::max(1.0, loads_left_--);
    const double middle = (begin + end) / 2;
    done_ = end;
    Trial trial = run_at(load, 1, progress_.part(begin, middle));
    const bool undecided =
        trial.result.status == Status::too_short || trial.result.status == Status::not_steady;
    if (!undecided || trial.result.longer <= 1) return trial;
    return run_at(load, std::ceil(std::clamp(trial.result.longer, 2.0, longest)),
                  progress_.part(middle, end));
  }

  Trial run_at(double load, double times_as_long, const RunProgress& progress) {
    Spec spec = at_load(spec_, load);
    std::visit([&](auto& of_kernel) { lengthen(of_kernel, static_cast<std::int64_t>(times_as_long)); }, spec);
    ++runs_;
    try {
      Trial trial{.result = run(spec, options_, progress), .load = load};
      cpu_s_ += trial.result.cpu_s;
      judge(trial);
      return trial;
    } catch (const OutOfMemory& stopped) {  // a backlog that fills the memory is not a steady state
      if (load <= search_.lowest) throw;
      Trial trial{.load = load, .refused = stopped.what(), .limited_by = std::string(kMemory)};
      trial.result.status = Status::saturated;
      return trial;
    }
  }

  // Sets what the trial does not meet, if there is anything.
  void judge(Trial& trial) const {
    const Result& result = trial.result;
    const auto refuse = [&](std::string_view by, double limit, std::string why) {
      trial.limited_by = by;
      trial.limit = limit;
      trial.refused = std::move(why);
    };
    const double offered = result.metric(metrics::offered_load),
                 accepted = result.metric(metrics::accepted_load);
    const double latency = latency_of(result);
    if (result.status != Status::ok)
      refuse(name_of(result.status), kNaN, fmt::format("{}: {}", name_of(result.status), result.detail));
    else if (!(offered > 0))
      refuse(kShare, search_.share, "no traffic was offered in the window");
    else if (accepted < search_.share * offered)
      refuse(kShare, search_.share,
             fmt::format("the accepted load is {:.4f}, the offered load {:.4f}", accepted, offered));
    else if (!(latency <= limit_))
      refuse(kLatency, limit_,
             fmt::format("the latency is {:.4g}, above the limit of {:.4g}", latency, limit_));
  }

  Result answer(Trial trial, const Trial& refused) const {
    Result result = std::move(trial.result);
    const bool found = trial.refused.empty();
    if (!found) {
      if (result.status == Status::ok) result.status = Status::saturated;
      result.detail =
          fmt::format("no load was sustained, not even the lowest, {}: {}", trial.load, trial.refused);
    }
    const double load = found ? trial.load : kNaN;
    const double values[] = {load, load, refused.load, refused.limit, runs_};
    for (std::size_t i = 0; i < std::size(values); ++i)
      result.metrics.emplace(result.metrics.begin() + static_cast<std::ptrdiff_t>(i),
                             saturation_metrics()[i].name, values[i]);
    result.limited_by = refused.limited_by;
    result.cpu_s = cpu_s_;
    progress_.report(1);
    return result;
  }

  const Spec& spec_;
  const SaturationSearch& search_;
  const RunOptions& options_;
  const RunProgress progress_;
  double loads_left_;  // at most
  double done_ = 0;    // of the progress
  double limit_ = search_.latency ? search_.latency->ns.to_double() : std::numeric_limits<double>::infinity();
  double runs_ = 0;
  double cpu_s_ = 0;
};

bool has_several_flows(const Spec& spec) {
  const auto* event = std::get_if<EventSpec>(&spec);
  return event != nullptr && event->traffic.flows.size() > 1;
}

// Throws SpecError for specs and criteria that a search does not support.
void expect_searchable(const Spec& spec, const SaturationSearch& search) {
  Mistakes mistakes;
  if (search.latency && std::holds_alternative<SlottedSpec>(spec))
    mistakes.add("kernel", "the slotted kernel cannot use a latency limit given as a time",
                 "give the limit as a multiple of the latency at the lowest load");
  check(search, mistakes);
  if (const auto* event = std::get_if<EventSpec>(&spec)) {
    const std::vector<FlowSpec>& flows = event->traffic.flows;
    const auto has_load = [](const FlowSpec& flow) {
      return std::ranges::any_of(flow.load.points,
                                 [](const LoadSpec::Point& point) { return point.load > 0; });
    };
    if (std::ranges::none_of(flows, has_load))
      mistakes.add("traffic.flow.load",
                   "a saturation search scales the loads of the flows, but no load is above 0",
                   "give the flows loads; the search keeps their ratios");
    for (std::size_t flow = 0; flow < flows.size(); ++flow)
      if (flows[flow].arrivals->backlog() > 0)
        mistakes.add(fmt::format("traffic.flow[{}].arrivals", flow),
                     "saturated sources have no load that a search could vary",
                     "poisson, bernoulli or periodic");
  }
  mistakes.throw_if_any();
}

// The experiment without a sweep over the load.
Experiment without_loads(Document spec, const std::vector<Override>& overrides, const LoadOptions& options) {
  Experiment experiment = load_experiment(spec, overrides, options);
  for (const auto& [key, value] : experiment.points.front().params) {
    if (!key.ends_with(".load")) continue;
    if (key.find('[') != std::string::npos && has_several_flows(experiment.points.front().spec()))
      throw SpecError(key, "is swept, but a saturation search sets the loads of all flows together",
                      fmt::format("with --set {}=1, the search scales all loads relative to this one", key),
                      spec.place_of("sweep"));
    std::vector<Override> without = overrides;
    without.push_back({key, Document(1.0, "saturation search")});
    return load_experiment(std::move(spec), without, options);
  }
  return experiment;
}

}  // namespace

Spec at_load(Spec spec, double load) {
  std::visit([&](auto& of_kernel) { set_load(of_kernel, load); }, spec);
  return spec;
}

Experiment load_for_search(Document spec, const SaturationSearch& search,
                           const std::vector<Override>& overrides, const LoadOptions& options) {
  Mistakes mistakes;
  check(search, mistakes);
  mistakes.throw_if_any();
  Experiment experiment = without_loads(std::move(spec), overrides, options);
  experiment.search = search;
  return experiment;
}

Result find_saturation(const Spec& spec, const SaturationSearch& search, const RunOptions& options,
                       const RunProgress& progress) {
  expect_searchable(spec, search);
  Memo own;
  RunOptions of_runs = options;
  if (of_runs.memo == nullptr) of_runs.memo = &own;
  return Search(spec, search, of_runs, progress).result();
}

}  // namespace headway
