// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/stalls.h"

#include "headway/metrics/metric_names.h"

#include <algorithm>

namespace headway {
namespace {

constexpr Metric kStallsMetrics[] = {
    {metrics::starved_heads, "packets",
     "heads of queues that were passed by far more packets than a fair arbiter would let pass: more than 64 "
     "for every rival"},
    {"longest_head_wait_ns", "ns",
     "longest time, seen at the end of the run, that a packet had been at the head of its queue",
     OverSeeds::maximum},
    {metrics::outranked_heads, "packets",
     "starved heads of classes that wait because classes of a higher level are served before them",
     Needs::waiting_classes},
};

}  // namespace

std::span<const Metric> stall_metrics() { return kStallsMetrics; }

void add_stalls(const Network& network, const HeadWatch& heads, const RunScope& scope, Result& result) {
  const HeadWait* const longest = heads.longest();
  const double wait = longest == nullptr ? 0 : static_cast<double>(longest->until - longest->since);
  const std::vector<HeadWait> starved = heads.starved();
  result.metrics.emplace_back(kStallsMetrics[0].name, static_cast<double>(starved.size()));
  result.metrics.emplace_back(kStallsMetrics[1].name, network.ns(wait));
  if (!scope.meets(Needs::waiting_classes)) return;
  const auto outranked =
      std::ranges::count_if(starved, [&](const HeadWait& head) { return heads.is_outranked(head); });
  result.metrics.emplace_back(kStallsMetrics[2].name, static_cast<double>(outranked));
}

}  // namespace headway
