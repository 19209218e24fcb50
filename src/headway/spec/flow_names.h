// SPDX-License-Identifier: Apache-2.0
// The names of flows, traces and jobs. A flow without a name is "flow 1", a trace "trace 0", a job "job 0":
// its number in its list. Paths of keys use the names that are given (config/document.h).
#pragma once

#include <string>
#include <vector>

#include "headway/base/error.h"
#include "headway/spec/spec.h"

namespace headway {

// The names in the order of flow numbers in results: all flows, then all traces, then all jobs.
std::vector<std::string> flow_names(const TrafficSpec& traffic);
// The names of the rows of results, where notifications that travel have a row, too, before the jobs.
std::vector<std::string> flow_names_in_results(const EventSpec& spec);

// Checks that every given name can be used in paths and means one flow, trace or job.
void check_flow_names(const EventSpec& spec, Mistakes& mistakes);

}  // namespace headway
