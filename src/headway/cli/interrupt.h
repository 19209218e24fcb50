// SPDX-License-Identifier: Apache-2.0
// Ctrl-C, a kill, a terminal that goes away: the first one asks for a graceful end, the second ends the
// program at once with kInterrupted.
#pragma once

#include <atomic>

namespace headway::cli {

// From now on SIGINT, SIGTERM and SIGHUP set the flag instead of ending the program.
const std::atomic<bool>& catch_interrupts();

}  // namespace headway::cli
