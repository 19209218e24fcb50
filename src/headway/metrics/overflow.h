// SPDX-License-Identifier: Apache-2.0
// Overflow queues seen from outside: how often packets joined them, and how often queues changed owners.
// Defined here once; only networks whose destinations own queues (congestion/overflow.h) have these metrics
// and columns.
#pragma once

#include <span>
#include <string_view>

#include "headway/congestion/overflow.h"
#include "headway/metrics/metric.h"
#include "headway/metrics/result.h"

namespace headway {

// Counted between two readings: in the window as a metric, in a bin as a column of the time series.
struct OverflowMetric {
  Metric metric;
  std::uint64_t OverflowCounts::* count;

  double value(const OverflowCounts& from, const OverflowCounts& to) const {
    return static_cast<double>(to.*count - from.*count);
  }
};
std::span<const OverflowMetric> overflow_metrics();

// Of readings at the start and at the end of every bin; those of the window begin at `measured_from`.
void add_overflow(std::span<const OverflowCounts> readings, std::size_t measured_from, Result& result);

}  // namespace headway
