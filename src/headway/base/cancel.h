// SPDX-License-Identifier: Apache-2.0
// Giving up in the middle of something long because the user asks for it: thrown by whatever polls the flag.
#pragma once

#include <atomic>

namespace headway {

struct Cancelled {};

using CancelFlag = const std::atomic<bool>*;  // null: nobody asks

inline void throw_if_set(CancelFlag flag) {
  if (flag != nullptr && flag->load(std::memory_order_relaxed)) throw Cancelled{};
}

}  // namespace headway
