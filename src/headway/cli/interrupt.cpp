// SPDX-License-Identifier: Apache-2.0
#include "headway/cli/interrupt.h"

#include <unistd.h>

#include <csignal>

#include "headway/cli/command.h"

namespace headway::cli {
namespace {

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "the signal handler sets it");

// Only a SIGHUP can be repeated without ending the program: closing a terminal can send several.
extern "C" void on_interrupt(int signal) {
  if (interrupted.exchange(true) && signal != SIGHUP) ::_exit(kInterrupted);
}

}  // namespace

const std::atomic<bool>& catch_interrupts() {
  // A signal that is ignored stays ignored: SIGHUP under nohup, SIGINT in the background of a shell script.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    if (std::signal(signal, on_interrupt) == SIG_IGN) std::signal(signal, SIG_IGN);
  return interrupted;
}

void end_interrupted() { ::_exit(kInterrupted); }

}  // namespace headway::cli
