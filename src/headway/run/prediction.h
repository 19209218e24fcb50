// SPDX-License-Identifier: Apache-2.0
// The processor time of runs, predicted: the expected packet-hops (compile/run_cost.h) times what a hop takes
// in the first milliseconds of the run itself. It depends on the machine and on the moment, so it is only
// shown, and never part of a result.
#pragma once

#include <cstddef>
#include <vector>

#include "headway/base/cancel.h"
#include "headway/compile/experiment.h"

namespace headway {

// Of all repetitions of a point, in seconds.
struct PointTime {
  double expected = 0;
  double most = 0;  // larger if the end of the run or of its repetitions is not known before
};

struct PredictionOptions {
  double of_point = 0.02;  // processor time of the simulated part of a point, in seconds
  double of_all = 1;       // the points are sampled for this long; the others are like the most similar one
  CancelFlag cancelled = nullptr;
};

// [point]. The points of `experiment` must be valid.
std::vector<PointTime> predict_times(const Experiment& experiment, const PredictionOptions& options = {});

}  // namespace headway
