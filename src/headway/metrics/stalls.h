// SPDX-License-Identifier: Apache-2.0
// Heads of queues that do not advance: metrics, and the kinds of rows in the table of stalls
// (docs/waiting.md, "Stalls"). Only runs with observe.waiting have them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "headway/config/names.h"
#include "headway/engine/network.h"
#include "headway/metrics/metric.h"
#include "headway/metrics/result.h"
#include "headway/metrics/tables.h"
#include "headway/observe/heads.h"

namespace headway {

// Why a queue is in the table.
enum class StallKind : std::uint8_t {
  deadlock,  // it is in a cycle of queues that wait for each other
  starved,   // far more packets pass its head than with a fair arbiter
  longest,   // its head waited longest at the end of the run
};

constexpr auto names_in_specs(StallKind) { return name_list("deadlock", "starved", "longest"); }

std::span<const Metric> stall_metrics();

// Adds the metrics to the result of a run.
void add_stalls(const Network& network, const HeadWatch& heads, const RunScope& scope, Result& result);

}  // namespace headway
