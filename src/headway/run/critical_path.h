// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "headway/engine/simulation.h"
#include "headway/metrics/critical_path.h"
#include "headway/metrics/jobs.h"
#include "headway/run/drive.h"

namespace headway {

// The critical paths of the jobs that are done and not in the background. The packets that end their steps
// are known only now, so a second simulation of the same network, workload and options, which is not advanced
// yet, follows them through the network. It must keep what it sends (SimulationOptions::keep_sent).
std::vector<CriticalPath> watch_critical_paths(const JobsOfRun& run, const FlowNumbers& flows, Drive& again,
                                               std::uint64_t seed);

}  // namespace headway
