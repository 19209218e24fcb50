// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/overflow.h"

namespace headway {
namespace {

constexpr OverflowMetric kOverflowMetrics[] = {
    {{"overflows", "packets",
      "packets that joined an overflow queue because no queue was available for their destination"},
     &OverflowCounts::overflows},
    {{"queue_replacements", "queues",
      "queues reassigned from their destination to that of an arriving packet"},
     &OverflowCounts::replacements},
    {{"queue_restorations", "queues",
      "free queues assigned to a destination with packets in the overflow queue"},
     &OverflowCounts::restorations},
    {{"overflow_moves", "packets",
      "packets moved into an overflow queue by replacement or out of it by restoration"},
     &OverflowCounts::moves},
};

}  // namespace

std::span<const OverflowMetric> overflow_metrics() { return kOverflowMetrics; }

}  // namespace headway
