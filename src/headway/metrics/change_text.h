// SPDX-License-Identifier: Apache-2.0
// What changes in a network during a run, as text.
#pragma once

#include <string>

#include "headway/engine/network.h"

namespace headway {

// What changes at this tick: "link 3:1 goes down", "link 3:1 gets 0.5 of its rate and 4 other links change",
// "new routes hold".
std::string text_of_changes(const Network& network, Tick tick);

}  // namespace headway
