// SPDX-License-Identifier: Apache-2.0
// How many repetitions a point needs until the interval of a metric is narrow enough (SeedsUntil). The number
// is the smallest one, from at_least on, whose runs have a 95 % interval (Student's t) that is narrow enough.
// It depends on the runs in the order of their seeds, not on when they finish. A sequential procedure: Law,
// "Simulation Modeling and Analysis", section 9.4.1, "obtaining a specified precision". It stops a little
// more readily where the interval happens to be short, so the interval covers the mean a little less often
// than 95 %.
#pragma once

#include <cstddef>
#include <vector>

#include "headway/metrics/result.h"
#include "headway/spec/seeds_until.h"

namespace headway {

struct SeedsPlan {
  std::size_t runs = 0;  // if settled, the final number of runs; otherwise the number to finish next
  bool settled = false;
  bool narrow_enough = false;
};

// `first` are the runs with the first seeds, without a gap. If these runs lack the metric, the point is
// settled with at_least runs, because no further run will have it.
SeedsPlan plan_seeds(const std::vector<const Result*>& first, const SeedsUntil& until);

}  // namespace headway
