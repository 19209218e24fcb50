// SPDX-License-Identifier: Apache-2.0
// Which flows of the spec wait, which of them are victims, and of which roots; likewise for pairs of nodes
// (docs/waiting.md, "Flows").
#pragma once

#include <vector>

#include "headway/metrics/metric.h"
#include "headway/metrics/result.h"
#include "headway/metrics/window.h"
#include "headway/observe/observer.h"

namespace headway {

// Columns of the tables per_flow and flow_roots, and those added to per_pair.
std::vector<Metric> flow_waiting_columns();

// Fills per_flow and flow_roots, and adds columns to per_pair if it is there, of an observer with a census.
void add_flow_waiting(const Observer& observer, const Window& window, Result& result);

}  // namespace headway
