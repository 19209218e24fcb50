// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/saturation.h"

namespace headway {
namespace {

constexpr Metric kMetrics[] = {
    {"saturation_load", "fraction of link rate",
     "largest load that was tried and sustained; none if no load was. The other metrics are of its run",
     Needs::saturation_search},
    {"saturation_load_low", "fraction of link rate",
     "lower end of the interval that the search ended with: saturation_load", Needs::saturation_search},
    {"saturation_load_high", "fraction of link rate",
     "smallest load that was tried and not sustained; 1 if the full load is", Needs::saturation_search},
    {"saturation_runs", "runs", "runs that the search took", Needs::saturation_search},
};

}  // namespace

std::span<const Metric> saturation_metrics() { return kMetrics; }

}  // namespace headway
