// SPDX-License-Identifier: Apache-2.0
// Endless fuzzing of the spec reader with libFuzzer: cmake -D HEADWAY_FUZZ=ON -D
// CMAKE_CXX_COMPILER=clang++-14, then run spec_fuzzer with a folder of spec files as its start.
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/spec_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  headway::test::checks({reinterpret_cast<const char*>(data), size}, "fuzz.toml");
  return 0;
}
