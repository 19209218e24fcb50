// SPDX-License-Identifier: Apache-2.0
// What the runs of an experiment will take, as text.
#pragma once

#include <span>
#include <string>

#include "headway/compile/experiment.h"
#include "headway/run/prediction.h"

namespace headway::cli {

// "about 2 min 10 s of processor time, at most 80 MiB of memory for each run".
std::string cost_line(const Experiment& experiment, std::span<const PointTime> times);
// A row for each point, and their sum.
std::string cost_table(const Experiment& experiment, std::span<const PointTime> times);
// The same as a JSON document, with the expected work.
std::string cost_json(const Experiment& experiment, std::span<const PointTime> times);

}  // namespace headway::cli
