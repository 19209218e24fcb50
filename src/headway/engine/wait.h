// SPDX-License-Identifier: Apache-2.0
// How threads of a run wait for each other (parts.h): for a few microseconds they look all the time, because
// a thread that has a core arrives within them. Then they let others run, and then they sleep.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

namespace headway {

// A thread that waits looks again this often before it lets others run: some microseconds, in which a part
// usually arrives if it has a core.
inline constexpr int kSpins = 100;
// It lets others run for so long before it sleeps.
inline constexpr std::chrono::microseconds kPatience{50};

// Makes the processor wait for a moment.
inline void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Waits until the value fulfils the condition; who changes it must notify.
template <class Condition>
void wait_until(const std::atomic<std::uint64_t>& value, Condition&& holds) {
  for (int spins = 0; spins < kSpins; ++spins) {
    if (holds(value.load(std::memory_order_acquire))) return;
    relax();
  }
  const auto start = std::chrono::steady_clock::now();
  for (;;) {
    const std::uint64_t seen = value.load(std::memory_order_acquire);
    if (holds(seen)) return;
    if (std::chrono::steady_clock::now() - start < kPatience)
      std::this_thread::yield();
    else
      value.wait(seen, std::memory_order_acquire);
  }
}

}  // namespace headway
