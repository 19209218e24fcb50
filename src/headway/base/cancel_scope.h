// SPDX-License-Identifier: Apache-2.0
// Cancels long work in functions that are too far below the caller to be given a flag, such as a routing
// function that is computing its table.
#pragma once

#include <utility>

#include "headway/base/cancel.h"

namespace headway {

// During its lifetime, `poll_cancel` in this thread checks the flag.
class CancelScope {
 public:
  explicit CancelScope(CancelFlag flag) : before_(std::exchange(current(), flag)) {}
  ~CancelScope() { current() = before_; }
  CancelScope(const CancelScope&) = delete;
  CancelScope& operator=(const CancelScope&) = delete;

  static CancelFlag& current() {
    thread_local CancelFlag flag = nullptr;
    return flag;
  }

 private:
  CancelFlag before_;
};

// Throws Cancelled if the work of this thread is to stop. For loops whose iterations take milliseconds.
inline void poll_cancel() { throw_if_set(CancelScope::current()); }

}  // namespace headway
