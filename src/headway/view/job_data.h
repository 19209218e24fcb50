// SPDX-License-Identifier: Apache-2.0
// The timelines of the jobs of a run (run/timeline.h) as data of a page.
#pragma once

#include "headway/io/json.h"
#include "headway/run/results.h"

namespace headway {

// Adds nothing for a run without jobs. Otherwise each job has a timeline, or a note that says why not.
void add_jobs(Json& json, const PointResult& point);

}  // namespace headway
