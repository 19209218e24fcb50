// SPDX-License-Identifier: Apache-2.0
// An experiment: the points of a spec's sweep, each a Spec of its own, and how often each is repeated.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "headway/base/document.h"
#include "headway/experiment/spec.h"
#include "headway/metrics/result.h"

namespace headway {

struct Point {
  std::vector<std::pair<std::string, std::string>> params;  // swept key -> value as written, in axis order
  Spec spec;                                                // with the experiment's base seed
};

struct Experiment {
  std::vector<Point> points;
  int seeds = 1;      // repetitions per point, with spec.seed, spec.seed + 1, ...
  Document document;  // the spec file with every default written: it repeats the experiment
};

}  // namespace headway
