// SPDX-License-Identifier: Apache-2.0
// A note for users whose packets are much shorter than the slots of memory that they occupy.
#pragma once

#include <string>

#include "headway/spec/spec.h"

namespace headway {

// Says which flow's or trace's packets fill less than half of their slots on average, and that cells would
// count their length; empty if there is none, or if the spec has cells. With `traces`, reads the first
// records of each trace.
//
// Choice: half, on average over the packets of a flow. The last packet of a long message is often short, and
// wastes nearly nothing.
std::string note_of_short_packets(const EventSpec& spec, bool traces);

}  // namespace headway
