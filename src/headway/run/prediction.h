// SPDX-License-Identifier: Apache-2.0
// The processor time and memory of runs, predicted: the expected packet-hops (compile/run_cost.h) times what
// a hop takes in the first milliseconds of the run itself. Times depend on the machine and on the moment, so
// they are only shown, and never part of a result.
#pragma once

#include <string>
#include <vector>

#include "headway/compile/experiment.h"

namespace headway {

struct PointCost {
  double seconds = 0;       // of all repetitions
  double most_seconds = 0;  // larger if the end of the run or of its repetitions is not known before
  double memory = 0;        // of the process during one of them, in bytes; 0: not known
  // Of jobs with long messages: whether stretches of time that repeat themselves are skipped (engine/skip.h),
  // so that it takes less, or why not.
  bool skips = false;
  std::string no_skip = {};
};

struct PredictionOptions {
  double of_point = 0.05;  // processor time of the simulated part of a point, in seconds
  double of_all = 2;       // the points are sampled for this long; the others are like the most similar one
};

// [point]. The points of `experiment` must be valid.
std::vector<PointCost> predict_costs(const Experiment& experiment, const PredictionOptions& options = {});

}  // namespace headway
