// SPDX-License-Identifier: Apache-2.0
// A model of a run on more threads than the machine has processors. It records what each part of a run
// (engine/parts.h) is told by the others, and simulates each part alone, so that it has the caches of a
// processor as it will have. A window takes as long as its slowest part, and one exchange. An exchange is
// measured with as many threads as there are processors, and grows with each other thread that one waits for.
//
// The times of parts contain the packing of mail, as between processes; threads read it in place.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "headway/spec/spec.h"

namespace headway {

struct ScalingCase {
  std::string name;  // "16-ary 3-tree, load 0.5"
  EventSpec spec;
  std::int64_t microseconds = 1;  // to simulate, after one in which the network fills
};
std::vector<ScalingCase> scaling_cases();

struct ScalingOfParts {
  std::uint32_t parts = 0;
  double epochs_per_us = 0;  // of simulated time
  double epoch_us = 0;       // time of all parts in an epoch
  double imbalance = 0;      // the slowest part of an epoch over the mean
  double epoch_bytes = 0;    // of mail, to each part
  double exchange_us = 0;
  double expected = 0;  // times as fast as one thread without parts
  double measured = 0;  // the same; 0: the machine has fewer processors, or the run uses fewer
};
struct Scaling {
  std::uint32_t nodes = 0;
  std::vector<ScalingOfParts> of_parts;
};

Scaling scaling_of(const ScalingCase& one);

}  // namespace headway
