// SPDX-License-Identifier: Apache-2.0
// Metrics of waiting: the results of photographs (observe/) as times per delivered packet and shares of link
// time. Only runs with observe.waiting have them (docs/waiting.md).
#pragma once

#include <span>

#include "headway/metrics/metric.h"
#include "headway/metrics/result.h"
#include "headway/metrics/window.h"
#include "headway/observe/observer.h"

namespace headway {

// The photographs of a window or of a part of it, and what was delivered in it.
struct WaitingWindow {
  const Network& network;
  const NetworkSums& sums;
  double ticks = 0;
  double delivered = 0;   // packets
  double latency_ns = 0;  // mean, as measured

  // Mean time of a delivered packet that corresponds to a sum of packets over the photographs: by Little's
  // law their mean number, times the window, divided by the packets delivered in it.
  double ns(std::uint64_t packets) const;
  // Mean share of time over the links that leave switches.
  double share(LinkTime time) const;
};

struct WaitingMetric {
  Metric metric;
  double (*value)(const WaitingWindow&);
  bool is_error = false;  // standard error of that value, by batch means
};
std::span<const WaitingMetric> waiting_metrics();

// Adds the metrics to the result of a run.
void add_waiting(const Observer& observer, const Window& window, Result& result);

}  // namespace headway
