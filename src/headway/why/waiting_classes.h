// SPDX-License-Identifier: Apache-2.0
// The classes of waiting (Waiting) as results name them.
#pragma once

#include <string_view>

#include "headway/observe/photograph.h"

namespace headway {

struct WaitingClass {
  Waiting waiting;
  std::string_view time;     // metric: per delivered packet
  std::string_view packets;  // column of the table series
  std::string_view what;
};

inline constexpr WaitingClass kWaitingClasses[kWaitings] = {
    {Waiting::transit, "transit_ns", "transit_packets", "on links"},
    {Waiting::admittance, "wait_admittance_ns", "wait_admittance_packets",
     "at its node, before the injection queue"},
    {Waiting::room, "wait_room_ns", "wait_room_packets", "for room behind its output"},
    {Waiting::output, "wait_output_ns", "wait_output_packets", "for an output that another input uses"},
    {Waiting::serial, "wait_serial_ns", "wait_serial_packets", "for an output that its own input uses"},
    {Waiting::input, "wait_input_ns", "wait_input_packets", "for its input, which uses another output"},
    {Waiting::hol, "hol_blocking_ns", "hol_packets", "behind a head that needs something else"},
    {Waiting::limited, "wait_limited_ns", "wait_limited_packets", "at its node, until its source may send"},
    {Waiting::paused, "wait_paused_ns", "wait_paused_packets",
     "for room behind its output, whose lane has paused it"},
};

}  // namespace headway
