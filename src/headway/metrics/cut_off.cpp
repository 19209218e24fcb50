// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/cut_off.h"

#include "headway/analysis/offered_traffic.h"
#include "headway/metrics/metric_names.h"
#include "headway/metrics/rows.h"

namespace headway {
namespace {

constexpr Metric kCutOffMetrics[] = {
    {metrics::cut_off_pairs, "pairs",
     "pairs of source and destination between which failed links leave no path", OverSeeds::same},
    {metrics::cut_off_share, "1",
     "share of the bytes of flows, by their loads in the window, that are not generated because no path "
     "leads to their destination; not included in the offered load"},
};

}  // namespace

double CutOff::share(const Workload& workload, Tick from, Tick to) const {
  const std::vector<double> rates = mean_rates(workload, from, to);
  double cut = 0, all = 0;
  for (std::size_t source = 0; source < workload.sources.size(); ++source) {
    const std::uint32_t flow = workload.sources[source].flow;
    const double reaches = left.empty() ? 1 : left[source];
    // The load of a source is that of what it can send; one that can send nothing has kept its load, and a
    // saturated source sends as much as it can.
    const bool is_whole = reaches == 0 || workload.flows[flow].arrivals == nullptr;
    const double whole = is_whole ? rates[flow] : rates[flow] / reaches;
    all += whole;
    cut += whole * (1 - reaches);
  }
  return all > 0 ? cut / all : kNaN;
}

std::span<const Metric> cut_off_metrics() { return kCutOffMetrics; }

void add_cut_off(const CutOff& cut_off, double share, Result& result) {
  double pairs = 0;
  for (const CutOffRow& node : rows_in<CutOffRow>(result))
    pairs += cut_off.paths->nodes() - 1 - node.sends_to;
  result.metrics.emplace_back(kCutOffMetrics[0].name, pairs);
  result.metrics.emplace_back(kCutOffMetrics[1].name, share);
}

}  // namespace headway
