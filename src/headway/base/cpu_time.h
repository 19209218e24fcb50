// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ctime>

namespace headway {

// Processor time that the calling thread has used.
inline double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

}  // namespace headway
