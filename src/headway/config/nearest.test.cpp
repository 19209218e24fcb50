// SPDX-License-Identifier: Apache-2.0
#include "headway/config/nearest.h"

#include <gtest/gtest.h>

namespace headway {
namespace {

TEST(Nearest, FindsWhatWasMeant) {
  static constexpr std::string_view kNames[] = {"1q",   "voqsw",    "voqnet",     "dbbm",
                                                "obqa", "emptiest", "round-robin"};
  struct Case {
    std::string_view word;
    std::optional<std::string_view> expected;
  };
  static const Case kCases[] = {
      {"obqa", "obqa"},      {"obaq", "obqa"},      {"OBQA", "obqa"},
      {"voq-net", "voqnet"}, {"vosqw", "voqsw"},    {"roundrobin", "round-robin"},
      {"empt", "emptiest"},  {"voq", std::nullopt}, {"fantasy", std::nullopt},
      {"", std::nullopt},
  };
  for (const auto& [word, expected] : kCases) EXPECT_EQ(nearest(word, kNames), expected) << word;
}

}  // namespace
}  // namespace headway
