// SPDX-License-Identifier: Apache-2.0
// When the loads of a workload change: flows start, stop, step, and climb their ramps. Between two changes a
// network may settle; over one, it cannot.
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

// Of the flows that have sources, ascending in time. Traces are not among them: their load is never constant.
std::vector<LoadChange> load_changes(const Workload& workload);

}  // namespace headway
