// SPDX-License-Identifier: Apache-2.0
// Prepares the tables of a run for several parts (parts.h).
#pragma once

#include "headway/engine/cut.h"
#include "headway/engine/ranks.h"
#include "headway/engine/state.h"

namespace headway {

// From then on, no packet moves, and the delays of links to other parts say so (Wheel::kAbroad). `ranks`: the
// processes that simulate the run together; null: this one. Returns false if there are not enough addresses
// for packets.
bool share_tables(StateTables& tables, const NetworkCut& cut, const Ranks* ranks);

}  // namespace headway
