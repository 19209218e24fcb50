// SPDX-License-Identifier: Apache-2.0
// Handles Ctrl-C, kill and a closed terminal: the first signal requests a graceful end, the second one ends
// the program immediately with kInterrupted.
#pragma once

#include <atomic>

namespace headway::cli {

// After this call, SIGINT, SIGTERM and SIGHUP set the returned flag instead of ending the program, except
// those that were ignored before.
const std::atomic<bool>& catch_interrupts();

// Ends the program with kInterrupted, although other threads still work.
[[noreturn]] void end_interrupted();

}  // namespace headway::cli
