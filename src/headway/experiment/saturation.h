// SPDX-License-Identifier: Apache-2.0
// The saturation search: the largest load that a network sustains, for any spec, by bisection.
//
// A load is sustained if the network accepts at least `share` of what is offered, at a mean latency of at
// most `times` that at the lowest load, and does not deadlock: the criterion of saturation(Curve) in curve.h,
// tried at loads instead of read off a sweep. The search assumes that a load below a sustained one is
// sustained.
#pragma once

#include "headway/experiment/curve.h"
#include "headway/experiment/run.h"

namespace headway {

inline constexpr double kLowestLoad = 0.05;  // whose latency others are compared with

struct SaturationOptions {
  double precision = 0.01;  // width of the interval that ends the search
  double share = kSaturatedShare;
  double times = kSaturatedLatency;
};

// The flows' loads with the largest of them set to `load`, their proportions kept.
Spec at_load(Spec spec, double load);

// The result of the run at the largest load that was found sustained, with the interval as metrics:
// saturation_load, between saturation_load_low, sustained, and saturation_load_high, not sustained (both 1 if
// the full load is sustained; low 0 if the lowest is not).
Result find_saturation(const Spec& spec, const SaturationOptions& search, const RunOptions& options = {});

}  // namespace headway
