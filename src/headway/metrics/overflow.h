// SPDX-License-Identifier: Apache-2.0
// Metrics of overflow queues: how often packets joined them, and how often queues changed owners. Only
// networks whose destinations own queues (congestion/overflow.h) have these metrics and columns.
#pragma once

#include <span>

#include "headway/congestion/overflow.h"
#include "headway/metrics/metric.h"

namespace headway {

// A metric for the window, and a column of the time series for a bin.
struct OverflowMetric {
  Metric metric;
  std::uint64_t OverflowCounts::* count;

  // Between the first and the last of these readings.
  double value(std::span<const OverflowCounts> readings) const {
    return static_cast<double>(readings.back().*count - readings.front().*count);
  }
};
std::span<const OverflowMetric> overflow_metrics();

}  // namespace headway
