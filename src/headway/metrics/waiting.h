// SPDX-License-Identifier: Apache-2.0
// Metrics of waiting: the results of photographs (observe/) as times per delivered packet and shares of link
// time. Only runs with observe.waiting have them (docs/waiting.md).
#pragma once

#include <span>

#include "headway/metrics/metric.h"
#include "headway/metrics/result.h"
#include "headway/metrics/tables.h"
#include "headway/metrics/window.h"
#include "headway/observe/observer.h"

namespace headway {

std::span<const Metric> waiting_metrics();

// Adds the metrics to the result of a run.
void add_waiting(const Observer& observer, const Window& window, const RunScope& scope, Result& result);

}  // namespace headway
