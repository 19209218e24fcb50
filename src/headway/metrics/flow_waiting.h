// SPDX-License-Identifier: Apache-2.0
// Metrics of waiting for each flow of the spec: how long it waits, for which roots, and how long as a victim;
// likewise for pairs of nodes (docs/waiting.md, "Flows").
#pragma once

#include <vector>

#include "headway/metrics/metric.h"
#include "headway/metrics/result.h"
#include "headway/metrics/window.h"
#include "headway/observe/observer.h"

namespace headway {

// Columns of the tables per_flow and flow_roots, and those added to per_pair.
std::vector<Metric> flow_waiting_columns();

// Fills per_flow and flow_roots, and adds columns to per_pair if it exists. The observer must have a census.
void add_flow_waiting(const Observer& observer, const Window& window, Result& result);

}  // namespace headway
