// SPDX-License-Identifier: Apache-2.0
#include "headway/experiment/saturation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace headway {
namespace {

constexpr SaturationMetric kMetrics[] = {
    {"saturation_load", "fraction of link rate",
     "largest load that is sustained: the middle between the next two"},
    {"saturation_load_low", "fraction of link rate",
     "largest load that was tried and sustained; 0 if the lowest was not. The other metrics are of its run"},
    {"saturation_load_high", "fraction of link rate",
     "smallest load that was tried and not sustained; 1 if the full load is"},
    {"saturation_runs", "runs", "runs that the search took"},
};

// As a multiple of something that the load does not change.
double latency_of(const Result& result) {
  const double latency = result.metric("latency_mean_ns");
  return std::isnan(latency) ? result.metric("normalised_delay") : latency;
}

bool is_sustained(const Result& result, double latency_limit, const SaturationSearch& search) {
  return result.status != Status::deadlock &&
         result.metric("accepted_load") >= search.share * result.metric("offered_load") &&
         latency_of(result) <= latency_limit;
}

}  // namespace

Spec at_load(Spec spec, double load) {
  if (spec.slotted) {
    spec.slotted->load = load;
    return spec;
  }
  double largest = 0;
  for (const FlowSpec& flow : spec.traffic.flows)
    for (const LoadSpec::Point& point : flow.load.points) largest = std::max(largest, point.load);
  for (FlowSpec& flow : spec.traffic.flows)
    for (LoadSpec::Point& point : flow.load.points)
      point.load = largest > 0 ? point.load / largest * load : load;
  return spec;
}

std::string describe(const SaturationSearch& search) {
  const std::string limit =
      search.latency ? "latency " + to_string(*search.latency) : fmt::format("times {}", search.times);
  return fmt::format("precision {}, share {}, {}, lowest {}", search.precision, search.share, limit,
                     search.lowest);
}

Experiment load_for_search(Document spec, const std::vector<Override>& overrides) {
  Experiment experiment = load_experiment(spec, overrides);
  for (const auto& [key, value] : experiment.points.front().params) {
    if (!key.ends_with(".load")) continue;
    if (key.find('[') != std::string::npos && experiment.points.front().spec().traffic.flows.size() > 1)
      throw SpecError({{.key = key,
                        .message = "is swept, and a saturation search sets the loads of all flows together",
                        .hint = fmt::format("with --set {}=1 they keep their proportions to that", key),
                        .where = spec.place_of("sweep")}});
    std::vector<Override> without = overrides;
    without.push_back({key, Document(1.0, "saturation search")});
    return load_experiment(std::move(spec), without);
  }
  return experiment;
}

Result find_saturation(const Spec& spec, const SaturationSearch& search, const RunOptions& options) {
  if (search.latency && spec.slotted)
    throw SpecError({{.key = "kernel",
                      .message = "a network in slots has no time for a limit to latency",
                      .hint = "give the limit as a multiple of the latency at the lowest load",
                      .where = ""}});
  const double planned = 2 + std::max(0.0, std::ceil(std::log2((1 - search.lowest) / search.precision)));
  double runs = 0;
  const auto run_at = [&](double load) {
    RunOptions of_run = options;
    of_run.progress_from = std::min(1.0, runs / planned);
    of_run.progress_to = std::min(1.0, ++runs / planned);
    return run(at_load(spec, load), of_run);
  };
  Result best = run_at(search.lowest);
  double cpu = best.cpu_s;
  const double limit = search.latency ? search.latency->ns.to_double() : search.times * latency_of(best);
  double low = 0, high = search.lowest;
  const auto try_load = [&](double load) {
    Result result = run_at(load);
    cpu += result.cpu_s;
    if (!is_sustained(result, limit, search)) {
      high = load;
      return;
    }
    low = load;
    best = std::move(result);
  };
  if (is_sustained(best, limit, search)) {
    low = search.lowest;
    high = 1;
    try_load(1);
    while (high - low > search.precision) try_load((low + high) / 2);
  }
  const double found[] = {(low + high) / 2, low, high, runs};
  static_assert(std::size(found) == std::size(kMetrics));
  for (std::size_t i = 0; i < std::size(found); ++i)
    best.metrics.emplace(best.metrics.begin() + static_cast<std::ptrdiff_t>(i), kMetrics[i].name, found[i]);
  best.cpu_s = cpu;
  return best;
}

std::span<const SaturationMetric> saturation_metric_definitions() { return kMetrics; }

}  // namespace headway
