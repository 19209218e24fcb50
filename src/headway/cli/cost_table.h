// SPDX-License-Identifier: Apache-2.0
// What the runs of an experiment will take, as text.
#pragma once

#include <string>
#include <vector>

#include "headway/compile/experiment.h"
#include "headway/run/prediction.h"

namespace headway::cli {

struct Costs {
  std::vector<PointCost> points;
  double loading = 0;  // seconds to read and check the spec
};

// "about 2 min 10 s of processor time, at most 80 MiB of memory for each run".
std::string cost_line(const Experiment& experiment, const Costs& costs);
// A row for each point, and all together.
std::string cost_table(const Experiment& experiment, const Costs& costs);
// The same as a JSON document, with the expected work.
std::string cost_json(const Experiment& experiment, const Costs& costs);

}  // namespace headway::cli
