// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/saturation.h"

namespace headway {
namespace {

constexpr Metric kSaturationMetrics[] = {
    {"saturation_load", "fraction of link rate",
     "largest simulated load that the network sustained; empty if there was none. The other metrics are "
     "those of its run",
     Needs::saturation_search},
    {"saturation_load_low", "fraction of link rate",
     "lower end of the final interval; equal to saturation_load", Needs::saturation_search},
    {"saturation_load_high", "fraction of link rate",
     "smallest simulated load that the network did not sustain; 1 if it sustained the full load",
     Needs::saturation_search},
    {"saturation_runs", "runs", "number of runs in the search", Needs::saturation_search},
};

}  // namespace

std::span<const Metric> saturation_metrics() { return kSaturationMetrics; }

}  // namespace headway
