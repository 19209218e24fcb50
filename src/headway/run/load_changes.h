// SPDX-License-Identifier: Apache-2.0
// The times at which the loads of a workload change: flows start, stop, step or follow a ramp. A network can
// reach a steady state only between two changes.
#pragma once

#include <vector>

#include "headway/engine/workload.h"

namespace headway {

struct LoadChange {
  Tick at = 0;
  std::uint32_t flow = 0;
  double before = 0;
  double after = 0;
};

// For the flows that have sources, in ascending order of time. Traces are not included, because their load is
// never constant.
std::vector<LoadChange> load_changes(const Workload& workload);

}  // namespace headway
