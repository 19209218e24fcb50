// SPDX-License-Identifier: Apache-2.0
#include "headway/experiment/saturation.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headway {
namespace {

// As a multiple of something that the load does not change.
double latency_of(const Result& result) {
  const double latency = result.metric("latency_mean_ns");
  return std::isnan(latency) ? result.metric("normalised_delay") : latency;
}

bool is_sustained(const Result& result, double latency_at_lowest, const SaturationOptions& search) {
  return result.status != Status::deadlock &&
         result.metric("accepted_load") >= search.share * result.metric("offered_load") &&
         latency_of(result) <= search.times * latency_at_lowest;
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

Result find_saturation(const Spec& spec, const SaturationOptions& search, const RunOptions& options) {
  Result best = run(at_load(spec, kLowestLoad), options);
  const double latency = latency_of(best);
  double low = 0, high = kLowestLoad, runs = 1;
  const auto try_load = [&](double load) {
    Result result = run(at_load(spec, load), options);
    ++runs;
    if (!is_sustained(result, latency, search)) {
      high = load;
      return;
    }
    low = load;
    best = std::move(result);
  };
  if (is_sustained(best, latency, search)) {
    low = kLowestLoad;
    high = 1;
    try_load(1);
    while (high - low > search.precision) try_load((low + high) / 2);
  }
  const std::pair<std::string, double> found[] = {{"saturation_load", (low + high) / 2},
                                                  {"saturation_load_low", low},
                                                  {"saturation_load_high", high},
                                                  {"runs", runs}};
  best.metrics.insert(best.metrics.begin(), std::begin(found), std::end(found));
  return best;
}

}  // namespace headway
