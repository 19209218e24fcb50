// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/cut_off.h"

namespace headway {
namespace {

constexpr Metric kCutOffMetrics[] = {
    {"cut_off_pairs", "pairs", "pairs of source and destination between which failed links leave no path",
     OverSeeds::same},
    {"cut_off_share", "1",
     "share of the messages of flows that are not generated because no path leads to their destination; mean "
     "over the sources of flows; not included in the offered load"},
};

}  // namespace

std::span<const Metric> cut_off_metrics() { return kCutOffMetrics; }

void add_cut_off(const CutOff& cut_off, Result& result) {
  const Table& nodes = result.table("cut_off");
  double pairs = 0;
  for (std::size_t row = 0; row < rows_of(nodes); ++row)
    pairs += cut_off.paths->nodes() - 1 - number_at(nodes, "sends_to", row);
  result.metrics.emplace_back(kCutOffMetrics[0].name, pairs);
  result.metrics.emplace_back(kCutOffMetrics[1].name, cut_off.share);
}

}  // namespace headway
