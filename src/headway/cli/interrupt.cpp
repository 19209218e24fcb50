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
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  if (std::signal(SIGHUP, on_interrupt) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);  // nohup
  return interrupted;
}

void end_interrupted() { ::_exit(kInterrupted); }

}  // namespace headway::cli
