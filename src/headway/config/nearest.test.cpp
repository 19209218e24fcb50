// SPDX-License-Identifier: Apache-2.0
#include "headway/config/nearest.h"

#include <gtest/gtest.h>

#include <vector>

#include "headway/config/other_names.h"

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
      {"obqa", "obqa"},      {"obaq", "obqa"},   {"OBQA", "obqa"},
      {"voq-net", "voqnet"}, {"vosqw", "voqsw"}, {"roundrobin", "round-robin"},
      {"empt", "emptiest"},  {"voq", "voqsw"},   {"fantasy", std::nullopt},
      {"", std::nullopt},
  };
  for (const auto& [word, expected] : kCases) EXPECT_EQ(nearest(word, kNames), expected) << word;
}

TEST(Nearest, KnowsWhatOtherToolsCallANameOrTheLastPartOfAKey) {
  static constexpr std::string_view kNames[] = {"1q",           "voqsw", "voqnet", "virtual_channels",
                                                "switch.lanes", "mc"};
  EXPECT_EQ(nearest("VOQ", kNames), "voqsw");
  EXPECT_EQ(nearest("num_vcs", kNames), "virtual_channels");
  EXPECT_EQ(nearest("VL", kNames), "switch.lanes");
  EXPECT_EQ(nearest("mtu", kNames), std::nullopt);
  static constexpr std::string_view kKeys[] = {"rails", "gpus"};
  EXPECT_EQ(nearest("gpu", kKeys), "gpus") << "and not what the word would be as a topology";
  EXPECT_EQ(nearest("nvlink", kKeys), "rails");
}

TEST(OtherNames, AreTheSameInAnySpelling) {
  using Names = std::vector<std::string_view>;
  EXPECT_EQ(called_here("VC"), (Names{"switch.virtual_channels", "switch.lanes"}));
  EXPECT_EQ(called_here("Fat-Tree"), (Names{"pgft", "k-ary-n-tree"}));
  EXPECT_EQ(called_here("packet_size"), Names{"traffic.packet"});
  EXPECT_EQ(called_here("obqa"), Names{});
}

}  // namespace
}  // namespace headway
