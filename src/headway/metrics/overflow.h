// SPDX-License-Identifier: Apache-2.0
// Metrics of overflow queues: how often packets joined them, and how often queues changed owners. Only
// networks whose destinations own queues (congestion/overflow.h) have these metrics and columns.
#pragma once

#include <span>
#include <string_view>

#include "headway/congestion/overflow.h"
#include "headway/metrics/metric.h"
#include "headway/metrics/result.h"

namespace headway {

// A difference between two readings: a metric for the window, and a column of the time series for a bin.
struct OverflowMetric {
  Metric metric;
  std::uint64_t OverflowCounts::* count;

  double value(const OverflowCounts& from, const OverflowCounts& to) const {
    return static_cast<double>(to.*count - from.*count);
  }
};
std::span<const OverflowMetric> overflow_metrics();

// Adds the metrics. `readings` are taken at the start and at the end of every bin; the window begins at index
// `measured_from`.
void add_overflow(std::span<const OverflowCounts> readings, std::size_t measured_from, Result& result);

}  // namespace headway
