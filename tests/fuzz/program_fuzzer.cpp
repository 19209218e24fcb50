// SPDX-License-Identifier: Apache-2.0
// Endless fuzzing of the readers of programs with libFuzzer: cmake -D HEADWAY_FUZZ=ON -D
// CMAKE_CXX_COMPILER=clang++-14, then run program_fuzzer with a folder of programs as its start.
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/program_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  headway::read_program_bytes({reinterpret_cast<const char*>(data), size});
  return 0;
}
