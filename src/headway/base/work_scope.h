// SPDX-License-Identifier: Apache-2.0
// Counts the steps of long work in functions that are too far below the caller to return a count, such as the
// links that a routing function follows. Tests ask how the count grows with a network: it is the same on
// every machine, which a time is not.
#pragma once

#include <cstdint>
#include <utility>

namespace headway {

// During its lifetime, counts the work of this thread.
class WorkScope {
 public:
  WorkScope() : before_(std::exchange(current(), &steps_)) {}
  ~WorkScope() { current() = before_; }
  WorkScope(const WorkScope&) = delete;
  WorkScope& operator=(const WorkScope&) = delete;

  std::uint64_t steps() const { return steps_; }

  static std::uint64_t*& current() {
    thread_local std::uint64_t* steps = nullptr;
    return steps;
  }

 private:
  std::uint64_t steps_ = 0;
  std::uint64_t* before_;
};

inline void count_work(std::uint64_t steps) {
  if (std::uint64_t* const sum = WorkScope::current()) *sum += steps;
}

}  // namespace headway
