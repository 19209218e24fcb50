// SPDX-License-Identifier: Apache-2.0
// Endless fuzzing of the trace readers with libFuzzer: cmake -D HEADWAY_FUZZ=ON -D
// CMAKE_CXX_COMPILER=clang++-14, then run trace_fuzzer with a folder of traces as its start.
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/trace_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  headway::read_trace_bytes({reinterpret_cast<const char*>(data), size});
  return 0;
}
