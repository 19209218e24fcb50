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
    {"saturation_limit", "share or ns",
     "the number behind limited_by, which says what the load saturation_load_high did not meet: of share, "
     "the "
     "required part of the offered load; of latency, the highest mean latency (with the slotted kernel, the "
     "normalised delay); empty for verdicts",
     Needs::saturation_search},
    {"saturation_runs", "runs", "number of runs in the search", Needs::saturation_search},
};

}  // namespace

std::span<const Metric> saturation_metrics() { return kSaturationMetrics; }

}  // namespace headway
