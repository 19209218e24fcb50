// SPDX-License-Identifier: Apache-2.0
// The classes of waiting (Waiting) as results name them.
#pragma once

#include <string_view>

#include "headway/metrics/metric_names.h"
#include "headway/metrics/rows.h"
#include "headway/observe/photograph.h"

namespace headway {

struct WaitingClass {
  Waiting waiting;
  std::string_view time;  // metric: per delivered packet
  double BinRow::* packets;
  std::string_view what;
};

inline constexpr WaitingClass kWaitingClasses[kWaitings] = {
    {Waiting::transit, metrics::transit_ns, &BinRow::transit, "on links"},
    {Waiting::admittance, metrics::wait_admittance_ns, &BinRow::admittance,
     "at its node, before the injection queue"},
    {Waiting::room, metrics::wait_room_ns, &BinRow::room, "for room behind its output"},
    {Waiting::output, metrics::wait_output_ns, &BinRow::output, "for an output that another input uses"},
    {Waiting::serial, metrics::wait_serial_ns, &BinRow::serial, "for an output that its own input uses"},
    {Waiting::input, metrics::wait_input_ns, &BinRow::input, "for its input, which uses another output"},
    {Waiting::hol, metrics::hol_blocking_ns, &BinRow::hol, "behind a head that needs something else"},
    {Waiting::limited, metrics::wait_limited_ns, &BinRow::limited, "at its node, until its source may send"},
    {Waiting::paused, metrics::wait_paused_ns, &BinRow::paused,
     "for room behind its output, whose lane has paused it"},
};

}  // namespace headway
