// SPDX-License-Identifier: Apache-2.0
// Work that several threads do together, in functions that are too far below the caller to be given a number
// of threads, such as those that build a network.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

namespace headway {

// During its lifetime, up to so many threads work for this thread, itself included.
class ThreadScope {
 public:
  explicit ThreadScope(std::uint32_t threads) : before_(std::exchange(current(), {.threads = threads})) {}
  ~ThreadScope() { current() = before_; }
  ThreadScope(const ThreadScope&) = delete;
  ThreadScope& operator=(const ThreadScope&) = delete;

  struct Current {
    std::uint32_t threads = 1;
    double cpu_of_others = 0;  // seconds of the processor
  };
  static Current& current() {
    thread_local Current current;
    return current;
  }

 private:
  Current before_;
};

// Calls work(i) for every i below the count, and returns after all calls. They run at the same time, and
// begin in ascending order. If one throws, those that have not begun are left out, and the first exception
// (by i) is thrown again. `poll_cancel` checks the flag of the calling thread.
void together(std::uint32_t count, const std::function<void(std::uint32_t)>& work);

// Calls work(first, end) for ranges that cover the numbers below the count once, as `together` does. For
// elements whose work is so short that a thread should take many.
void together_in_ranges(std::uint32_t count, const std::function<void(std::uint32_t, std::uint32_t)>& work);

}  // namespace headway
