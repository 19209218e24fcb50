// SPDX-License-Identifier: Apache-2.0
// Why jobs took as long as they did, from their critical paths.
#pragma once

#include <string>
#include <vector>

#include "headway/run/results.h"

namespace headway {

// Some sentences per job with a critical path, the conclusion first; none without such jobs.
std::vector<std::string> sentences_of_jobs(const PointResult& point);
// The longest waits on each critical path, a line each; empty without such jobs.
std::string waits_of_jobs(const PointResult& point);

}  // namespace headway
