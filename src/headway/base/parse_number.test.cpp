// SPDX-License-Identifier: Apache-2.0
#include "headway/base/parse_number.h"

#include <gtest/gtest.h>

namespace headway {
namespace {

TEST(ParseNumber, ReadsTheWholeText) {
  EXPECT_EQ(parse_number<int>("-12"), -12);
  EXPECT_EQ(parse_number<unsigned>("ff", 16), 255U);
  EXPECT_EQ(parse_number<double>("2.5e3"), 2500);
}

TEST(ParseNumber, RefusesOtherText) {
  for (const char* const text : {"", "x", "1x", " 1", "1 ", "+1", "-1", "256"})
    EXPECT_EQ(parse_number<std::uint8_t>(text), std::nullopt) << text;
  EXPECT_EQ(parse_number<double>("1e999"), std::nullopt);
}

TEST(TakeNumber, LeavesTheRest) {
  std::string_view text = "12x300";
  EXPECT_EQ(take_number<std::uint8_t>(text), 12);
  EXPECT_EQ(text, "x300");
  EXPECT_EQ(take_number<std::uint8_t>(text), std::nullopt);
  text.remove_prefix(1);
  EXPECT_EQ(take_number<std::uint8_t>(text), std::nullopt) << "too large";
  EXPECT_EQ(text, "300");
}

}  // namespace
}  // namespace headway
