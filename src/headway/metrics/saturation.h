// SPDX-License-Identifier: Apache-2.0
// The metrics that a saturation search adds to those of its final run (run/saturation.h).
#pragma once

#include <span>

#include "headway/metrics/metric.h"

namespace headway {

// saturation_load, saturation_load_low, saturation_load_high, saturation_limit, saturation_runs.
std::span<const Metric> saturation_metrics();

}  // namespace headway
