// SPDX-License-Identifier: Apache-2.0
// The saturation search: the largest load that a network sustains, for any spec, by bisection.
//
// A load is sustained if the verdict on its run is ok (docs/verdicts.md), the network accepts at least
// `share` of what is offered, and the mean latency is at most `times` that at the lowest load. This is the
// criterion of saturation(Curve) in papers/curve.h, applied to runs instead of a finished sweep. If some
// networks are slow even at the lowest load, `latency` gives the same limit for all. A run that is too short
// for a verdict is repeated with a longer window; an undecided load counts as not sustained. The search
// assumes that a load below a sustained one is sustained.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "headway/base/error.h"
#include "headway/compile/load.h"
#include "headway/run/run.h"

namespace headway {

// Choice: the papers define "the point where average message latency dramatically increases" (OBQA, section
// 4.2) without a number.
inline constexpr double kSaturatedShare = 0.97;
inline constexpr double kSaturatedLatency = 5.0;

struct SaturationSearch {
  double precision = 0.01;  // width of the interval that ends the search
  double share = kSaturatedShare;
  double times = kSaturatedLatency;
  std::optional<Duration> latency = {};  // maximum mean latency; replaces `times`
  double lowest = 0.01;                  // load of the nearly empty network that gives the reference latency
};

// Reports numbers that are out of range, by their names.
void check(const SaturationSearch& search, Mistakes& mistakes);

// "precision 0.01, share 0.97, ...": the parameters that, with the spec, determine the result of a search.
std::string describe(const SaturationSearch& search);
// The same as the method of a results directory.
std::string method(const SaturationSearch& search);

// Scales the loads of the flows so that the largest one is `load`.
Spec at_load(Spec spec, double load);

// Like load_experiment, but ignores a sweep over the load, because a search sets the load itself. Throws
// SpecError if the load of one of several flows is swept.
Experiment load_for_search(Document spec, const std::vector<Override>& overrides = {},
                           const LoadOptions& options = {});

// The result of the run at the largest sustained load, preceded by the metrics of metrics/saturation.h. If no
// load is sustained, the result of the run at the lowest load, with a status other than ok and the reason.
// Throws SpecError if a search does not support the spec or the criterion.
Result find_saturation(const Spec& spec, const SaturationSearch& search, const RunOptions& options = {});

}  // namespace headway
