// SPDX-License-Identifier: Apache-2.0
// Thrown by code that polls the flag, to cancel a long operation at the user's request.
#pragma once

#include <atomic>

namespace headway {

struct Cancelled {};

using CancelFlag = const std::atomic<bool>*;  // null: cannot be cancelled

inline void throw_if_set(CancelFlag flag) {
  if (flag != nullptr && flag->load(std::memory_order_relaxed)) throw Cancelled{};
}

}  // namespace headway
