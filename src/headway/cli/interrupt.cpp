// SPDX-License-Identifier: Apache-2.0
#include "headway/cli/interrupt.h"

#include <unistd.h>

#include <csignal>

#include "headway/cli/command.h"

namespace headway::cli {
namespace {

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may set it");

extern "C" void on_interrupt(int) {
  if (interrupted.exchange(true)) ::_exit(kInterrupted);
}

}  // namespace

const std::atomic<bool>& catch_interrupts() {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  return interrupted;
}

}  // namespace headway::cli
