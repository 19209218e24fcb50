// SPDX-License-Identifier: Apache-2.0
#include "headway/base/cpu_time.h"

#include <ctime>

namespace headway {

double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

}  // namespace headway
