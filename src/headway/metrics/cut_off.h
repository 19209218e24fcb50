// SPDX-License-Identifier: Apache-2.0
// What a run leaves out because failed links cut nodes off from each other (docs/modelling.md, "Failures").
// Only runs with network.failures.unreachable = "reported" have it.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "headway/engine/workload.h"
#include "headway/metrics/metric.h"
#include "headway/metrics/result.h"
#include "headway/routing/paths_left.h"

namespace headway {

struct CutOff {
  std::shared_ptr<const PathsLeft> paths;  // null: nodes that cannot reach each other are a mistake
  // [source] the share of its messages whose destination it can reach; empty: all of every source.
  std::vector<double> left;

  bool is_silent(std::size_t source) const { return !left.empty() && left[source] == 0; }
  // The share of the bytes that the flows would generate in [from, to) that is left out; NaN if they would
  // generate none.
  double share(const Workload& workload, Tick from, Tick to) const;
};

std::span<const Metric> cut_off_metrics();

// Adds the metrics to the result of a run, which has the table cut_off.
void add_cut_off(const CutOff& cut_off, double share, Result& result);

}  // namespace headway
