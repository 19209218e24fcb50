// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace headway {

// Prefetches the cache line at an address that will be read or written soon. Any address is allowed.
[[gnu::always_inline]] inline void fetch(const void* line) {
  __builtin_prefetch(line, 1);
  asm volatile("" : : "r"(line));  // without it, g++ 12 removes calls of functions that do nothing else
}

}  // namespace headway
