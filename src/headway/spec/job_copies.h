// SPDX-License-Identifier: Apache-2.0
// Jobs that a spec describes once and that start several times (docs/programs.md, "Jobs that arrive"). In
// TrafficSpec::jobs, the first copy is followed by the others.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "headway/spec/spec.h"

namespace headway {

// Adds the copies to the jobs of a spec that has just been read.
void add_copies(TrafficSpec& traffic);

// [job of the file] the number of its first copy.
std::vector<std::size_t> first_copies(const TrafficSpec& traffic);

// The key under which the file has a job, such as "traffic.job[1]".
std::string key_of_job(const TrafficSpec& traffic, std::size_t job);

}  // namespace headway
