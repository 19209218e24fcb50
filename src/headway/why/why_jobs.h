// SPDX-License-Identifier: Apache-2.0
// Why jobs took as long as they did, from their critical paths.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "headway/run/results.h"

namespace headway {

// Some sentences per job with a critical path, the conclusion first; none without such jobs.
std::vector<std::string> sentences_of_jobs(const PointResult& point);
// Returns true if most of the waiting on the critical path of this job is behind packets of other flows;
// false without this job, or without its critical path.
bool waits_behind_others(const PointResult& point, std::string_view job);
// The longest waits on each critical path, a line each; empty without such jobs.
std::string waits_of_jobs(const PointResult& point);

}  // namespace headway
