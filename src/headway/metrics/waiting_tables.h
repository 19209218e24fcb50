// SPDX-License-Identifier: Apache-2.0
// The tables of runs with observe.waiting: roots of congestion, the destinations that cause it, congestion
// trees, and the columns that per_destination and per_link get (docs/waiting.md).
#pragma once

#include <span>

#include "headway/metrics/metric.h"
#include "headway/metrics/result.h"
#include "headway/metrics/window.h"
#include "headway/observe/observer.h"

namespace headway {

// Columns of roots, culprits, trees and tree_series, and those added to per_destination and per_link.
std::span<const Metric> waiting_table_columns();

// Adds them to a result. Its time series, per_destination and per_link must already exist.
void add_waiting_tables(const Observer& observer, const Window& window, Result& result);

}  // namespace headway
