// SPDX-License-Identifier: Apache-2.0
// The saturation search: the largest load that a network sustains, for any spec, by bisection.
//
// A load is sustained if the verdict on its run is ok (docs/verdicts.md), the network accepts at least
// `share` of what is offered, and the mean latency is at most `times` that at the lowest load: the criterion
// of saturation(Curve) in papers/curve.h, tried at loads instead of read off a sweep. Where some networks are
// slow even at the lowest load, `latency` is the same limit for all. A run that is too short to tell is
// repeated with a longer window; a load about which nothing can be told is not sustained. The search assumes
// that a load below a sustained one is sustained.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "headway/compile/load.h"
#include "headway/run/run.h"

namespace headway {

// Choice: the papers say "the point where average message latency dramatically increases" (OBQA, section
// 4.2), which names no number.
inline constexpr double kSaturatedShare = 0.97;
inline constexpr double kSaturatedLatency = 5.0;

struct SaturationSearch {
  double precision = 0.01;  // width of the interval that ends the search
  double share = kSaturatedShare;
  double times = kSaturatedLatency;
  std::optional<Duration> latency = {};  // allowed, in place of `times`
  double lowest = 0.01;  // load of the nearly empty network whose latency others are compared with
};

// "precision 0.01, share 0.97, ...": what decides a search's result besides its spec.
std::string describe(const SaturationSearch& search);

// The flows' loads with the largest of them set to `load`, their proportions kept.
Spec at_load(Spec spec, double load);

// As load_experiment, with a sweep over the load left out, as a search sets the load itself. Throws SpecError
// if it is the load of one of several flows that is swept.
Experiment load_for_search(Document spec, const std::vector<Override>& overrides = {});

// The result of the run at the largest load that was found sustained, with those of metrics/saturation.h in
// front. If there is none, that of the run at the lowest load, with a status other than ok and why. Throws
// SpecError if the spec or the criterion cannot be searched.
Result find_saturation(const Spec& spec, const SaturationSearch& search, const RunOptions& options = {});

}  // namespace headway
