// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/overflow.h"

namespace headway {
namespace {

constexpr OverflowMetric kOverflowMetrics[] = {
    {{"overflows", "packets",
      "packets that joined an overflow queue because no queue was available for their destination",
      Needs::overflow},
     &OverflowCounts::overflows},
    {{"queue_replacements", "queues",
      "queues reassigned from their destination to that of an arriving packet", Needs::overflow},
     &OverflowCounts::replacements},
    {{"queue_restorations", "queues",
      "free queues assigned to a destination with packets in the overflow queue", Needs::overflow},
     &OverflowCounts::restorations},
    {{"overflow_moves", "packets",
      "packets moved into an overflow queue by replacement or out of it by restoration", Needs::overflow},
     &OverflowCounts::moves},
};

}  // namespace

std::span<const OverflowMetric> overflow_metrics() { return kOverflowMetrics; }

void add_overflow(std::span<const OverflowCounts> readings, std::size_t measured_from, Result& result) {
  for (const OverflowMetric& metric : kOverflowMetrics)
    result.metrics.emplace_back(metric.metric.name, metric.value(readings[measured_from], readings.back()));
}

}  // namespace headway
