// SPDX-License-Identifier: Apache-2.0
// What a run leaves out because failed links cut nodes off from each other (docs/modelling.md, "Failures").
// Only runs with network.failures.unreachable = "reported" have it.
#pragma once

#include <memory>
#include <span>

#include "headway/metrics/metric.h"
#include "headway/metrics/result.h"
#include "headway/routing/paths_left.h"

namespace headway {

struct CutOff {
  std::shared_ptr<const PathsLeft> paths;  // null: nodes that cannot reach each other are a mistake
  double share = 0;  // of the messages of flows that is left out, mean over their sources
};

std::span<const Metric> cut_off_metrics();

// Adds the metrics to the result of a run, which has the table cut_off.
void add_cut_off(const CutOff& cut_off, Result& result);

}  // namespace headway
