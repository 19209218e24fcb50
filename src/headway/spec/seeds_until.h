// SPDX-License-Identifier: Apache-2.0
// seeds = { until = "latency_mean_ns", relative = 0.02 }: repeats a point until the interval of a metric is
// narrow enough.
#pragma once

#include <cstdint>
#include <string>

#include "headway/config/parameters.h"

namespace headway {

struct SeedsUntil {
  std::string metric;
  double relative = 0.05;
  // Choice: with a relative half width of 2 %, a 95 % interval of normally distributed values that is stopped
  // this way covers the mean with probability 0.89 from 2 seeds on, and 0.93 to 0.94 from 5 on.
  std::int64_t at_least = 5;
  std::int64_t at_most = 100;

  void describe(Parameters& parameters) {
    parameters.field(
        {.name = "until",
         .help = "repeats each point until the 95 % interval of the mean of this metric is narrow "
                 "enough; the number of repetitions depends on the results of the point alone"},
        metric);
    parameters.field({.name = "relative",
                      .help = "half width of the interval that is narrow enough, as a fraction of the mean",
                      .bounds = Bounds::over(0, 1)},
                     relative);
    parameters.field(
        {.name = "at_least", .help = "repetitions of every point", .bounds = Bounds::from(2, 10'000)},
        at_least);
    parameters.field({.name = "at_most",
                      .help = "repetitions of a point whose interval does not become narrow enough",
                      .bounds = Bounds::from(2, 10'000)},
                     at_most);
  }
};

}  // namespace headway
