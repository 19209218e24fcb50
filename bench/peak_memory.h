// SPDX-License-Identifier: Apache-2.0
// The resident memory of this process, as reported by Linux; 0 if the system does not report it.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace headway {

// `bytes` is the peak since the last reset.
class PeakMemory {
 public:
  static void reset() {
#ifdef __GLIBC__
    malloc_trim(0);  // returns freed memory to the system, so that it counts again when it is reused
#endif
    std::ofstream("/proc/self/clear_refs") << "5";
  }
  static std::uint64_t bytes() { return 1024 * field("VmHWM:"); }
  static std::uint64_t bytes_now() { return 1024 * field("VmRSS:"); }

 private:
  static std::uint64_t field(std::string_view name) {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
      std::uint64_t value = 0;
      if (word == name && status >> value) return value;
    }
    return 0;
  }
};

}  // namespace headway
