// SPDX-License-Identifier: Apache-2.0
// Heads of queues that do not advance: the table of stalls and its metrics (docs/waiting.md, "Stalls"). Only
// runs with observe.waiting have them.
#pragma once

#include <cstdint>
#include <span>

#include "headway/engine/simulation.h"
#include "headway/metrics/metric.h"
#include "headway/metrics/result.h"
#include "headway/observe/heads.h"

namespace headway {

// Why a queue is in the table; the numbers are those of its column kind.
enum class StallKind : std::uint8_t {
  deadlock,  // it is in a cycle of queues that wait for each other
  starved,   // far more packets pass its head than with a fair arbiter
  longest,   // its head waited longest at the end of the run
};

std::span<const Metric> stall_metrics();
std::span<const Metric> stall_columns();

// Adds the metrics and the table to the result of a run.
void add_stalls(const Network& network, const Stall& stall, const HeadWatch& heads, StateView view,
                Result& result);

}  // namespace headway
