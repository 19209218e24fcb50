// SPDX-License-Identifier: Apache-2.0
// The state of the parts of a run that other processes simulate (processes.h), as far as observers read it
// (view.h, stall.h).
#pragma once

#include "headway/base/parcel.h"
#include "headway/engine/cut.h"
#include "headway/engine/state.h"
#include "headway/engine/workload.h"

namespace headway {

// The states of parts, in the process that simulates them. Packets of all parts of a process belong together;
// they are written once (PacketMemory::serialize).
void write_state(State& part, const Workload& workload, ParcelWriter& to);
// `part` has been made for this call. It shares its tables with all others.
void read_state(ParcelReader& from, const Workload& workload, State& part);

}  // namespace headway
