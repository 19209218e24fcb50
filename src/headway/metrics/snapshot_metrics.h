// SPDX-License-Identifier: Apache-2.0
// The numbers of a port, a queue or a node at one instant, which pages of `headway view` compute from
// snapshots (observe/snapshots.h). They are not in all_metrics(), because results do not contain them: a key
// of a run (run/run_key.h) does not depend on them. Their names differ from those of all other metrics, whose
// values are sums over the network or means over time.
#pragma once

#include <span>
#include <string_view>

#include "headway/metrics/metric.h"

namespace headway {

inline constexpr std::string_view kSnapshotTable = "snapshot";  // their Metric::table

std::span<const Metric> snapshot_metrics();

}  // namespace headway
