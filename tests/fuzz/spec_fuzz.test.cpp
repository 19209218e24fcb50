// SPDX-License-Identifier: Apache-2.0
// A second of fuzzing that is the same every time: random bytes, random tokens of the format, and mutations
// of a valid spec. spec_fuzzer.cpp goes on from there.
#include "tests/fuzz/spec_fuzz.h"

#include <gtest/gtest.h>

#include <string>

#include "headway/base/rng.h"

namespace headway {
namespace {

constexpr std::string_view kValid = R"(seed = 3
[network]
topology = "k-ary-n-tree"
k = 2
n = 3
link = { rate = "1.5 GB/s", delay = "4 ns" }
[switch]
scheme = "obqa"
queues = 4
input_memory = "4 KiB"
[[traffic.flow]]
sources = { fraction = 0.75 }
load = [["0 us", 0.0], ["3 us", 1.0]]
load_change = "ramp"
[[traffic.flow]]
sources = { rest = true }
pattern = "hotspot"
destination = 5
start = "1 us"
[measure]
warmup = "20 us"
duration = "500 us"
)";

constexpr std::string_view kTokens[] = {"[",          "]",       "[[",
                                        "]]",         "{",       "}",
                                        "=",          ".",       ",",
                                        "\n",         "\"",      "'",
                                        "\"\"\"",     "'''",     "#",
                                        "\\",         "1",       "-",
                                        "0x",         "1e999",   "nan",
                                        "inf",        "true",    "seed",
                                        "flow",       "k",       "switch",
                                        "sweep",      "\xff",    "\xef\xbb\xbf",
                                        "\\u0000",    "1/0 ns",  "9223372036854775807",
                                        "1979-05-27", "network", "link"};

TEST(SpecFuzz, ReadsTheSeedSpec) { EXPECT_TRUE(read_bytes(kValid)); }

TEST(SpecFuzz, SurvivesRandomBytes) {
  Rng rng(1, 0);
  for (int round = 0; round < 2000; ++round) {
    std::string bytes(rng.below(64), ' ');
    for (char& byte : bytes) byte = static_cast<char>(rng.below(256));
    read_bytes(bytes);
  }
}

TEST(SpecFuzz, SurvivesRandomTokens) {
  Rng rng(2, 0);
  for (int round = 0; round < 2000; ++round) {
    std::string bytes;
    for (std::uint32_t i = rng.below(24); i > 0; --i) bytes += kTokens[rng.below(std::size(kTokens))];
    read_bytes(bytes);
  }
}

TEST(SpecFuzz, SurvivesMutationsOfAValidSpec) {
  Rng rng(3, 0);
  for (int round = 0; round < 1500; ++round) {
    std::string bytes(kValid);
    for (std::uint32_t i = 1 + rng.below(3); i > 0; --i) {
      const std::size_t at = rng.below(static_cast<std::uint32_t>(bytes.size()));
      switch (rng.below(4)) {
        case 0:
          bytes[at] = static_cast<char>(rng.below(256));
          break;
        case 1:
          bytes.erase(at, rng.below(8));
          break;
        case 2:
          bytes.insert(at, kTokens[rng.below(std::size(kTokens))]);
          break;
        default:
          bytes.insert(at, bytes.substr(rng.below(static_cast<std::uint32_t>(bytes.size())), 12));
          break;
      }
    }
    read_bytes(bytes);
  }
}

}  // namespace
}  // namespace headway
