// SPDX-License-Identifier: Apache-2.0
// Why jobs took as long as they did, from their critical paths.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "headway/run/results.h"
#include "headway/why/sentence.h"

namespace headway {

// Some sentences per job with a critical path, the conclusion first; none without such jobs.
std::vector<Sentence> sentences_of_jobs(const PointResult& point);
// The runs that critical paths suggest, each as a command with an upper bound for what it gains; empty if
// there are none.
std::string suggested_runs(const PointResult& point);
// What the critical path of a job consists of: "waiting for 1.3 ms (98 %) and its own bytes for 21 us (2 %)".
// Empty if it has none.
std::string path_text(const PointResult& point, std::string_view job);

// How much critical paths wait, if they explain a run: jobs are all its traffic, and one has a path.
// Photographs, which show all packets, only add to them.
struct WaitsOnPaths {
  double all = 0, behind_others = 0;  // the largest shares of a path
};
std::optional<WaitsOnPaths> waits_on_paths(const PointResult& point);
// Returns true if most of the waiting on the critical path of this job is behind packets of other flows;
// false without this job, or without its critical path.
bool waits_behind_others(const PointResult& point, std::string_view job);
// The parts of each critical path and its longest waits, a line each; empty without such jobs.
std::string jobs_at_length(const PointResult& point);

}  // namespace headway
