// SPDX-License-Identifier: Apache-2.0
// The saturation search: the largest load that a network sustains, for any spec, by bisection.
//
// A load is sustained if the verdict on its run is ok (docs/verdicts.md), the network accepts at least
// `share` of what is offered, and the mean latency is at most `times` that at the lowest load. This is the
// criterion of saturation(Curve) in pictures/curve.h, applied to runs instead of a finished sweep. If some
// networks are slow even at the lowest load, `latency` gives the same limit for all. A run that is too short
// for a verdict is repeated with a longer window; an undecided load counts as not sustained. The search
// assumes that a load below a sustained one is sustained.
#pragma once

#include <vector>

#include "headway/compile/load.h"
#include "headway/run/run.h"
#include "headway/spec/saturation_search.h"

namespace headway {

// Scales the loads of the flows so that the largest one is `load`.
Spec at_load(Spec spec, double load);

// Like load_experiment, for an experiment whose points are searches: sets Experiment::search, from which its
// runs and the keys of its results follow. Ignores a sweep over the load, because a search sets the load
// itself. Throws SpecError if a number of the search is out of range, or if the load of one of several flows
// is swept.
Experiment load_for_search(Document spec, const SaturationSearch& search,
                           const std::vector<Override>& overrides = {}, const LoadOptions& options = {});

// The result of the run at the largest sustained load, preceded by saturation_metrics(). If no load is
// sustained, the result of the run at the lowest load, with a status other than ok and the reason. Throws
// SpecError if a search does not support the spec or the criterion.
Result find_saturation(const Spec& spec, const SaturationSearch& search, const RunOptions& options = {},
                       const RunProgress& progress = {});

}  // namespace headway
