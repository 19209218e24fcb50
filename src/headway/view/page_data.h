// SPDX-License-Identifier: Apache-2.0
// The data of a page, as JSON; view/viewer/src/data.ts reads them.
#pragma once

#include "headway/io/json.h"
#include "headway/view/page.h"

namespace headway {

Json network_data(const Graph& graph);
Json metric_data();  // units and meanings of all numbers, from the registry of metrics and of the numbers in
                     // snapshots
// `every`: which of the run's snapshots the page has, 1 for all.
Json run_data(const ViewedRun& run, std::size_t every);
// Adds the timelines of the jobs of a run (run/timeline.h), but nothing for a run without jobs. Each job has
// a timeline, or a note that says why not.
void add_jobs(Json& json, const PointResult& point);
// Adds what changes of the spec gain (remedies/chart.h), but nothing for results without this table.
void add_remedies(Json& json, const Result& result);

}  // namespace headway
