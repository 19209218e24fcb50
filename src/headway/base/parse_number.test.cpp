// SPDX-License-Identifier: Apache-2.0
#include "headway/base/parse_number.h"

#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <random>
#include <string>
#include <string_view>
#include <vector>

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

// The twin for other standard libraries takes as much of any text, and the same number.
TEST(ParseNumber, FractionsAreThoseOfFromChars) {
  std::mt19937 random(1);
  const std::vector<std::string_view> parts = {"0",
                                               "1",
                                               "2.5",
                                               ".",
                                               "e",
                                               "E",
                                               "-",
                                               "+",
                                               "17",
                                               "308",
                                               "00000000000000000001",
                                               "0x",
                                               " ",
                                               ",",
                                               "x",
                                               "i",
                                               "f",
                                               "inf",
                                               "nan",
                                               "infinity",
                                               "9007199254740993"};
  for (int i = 0; i < 100'000; ++i) {
    std::string text;
    for (unsigned part = random() % 6; part > 0; --part) text += parts[random() % parts.size()];
    double expected = 7, number = 7;
    const char* const end = text.data() + text.size();
    const auto [expected_end, expected_fault] = std::from_chars(text.data(), end, expected);
    const auto [number_end, fault] = fraction_from_chars(text.data(), end, number);
    ASSERT_EQ(fault, expected_fault) << text;
    ASSERT_EQ(number_end - text.data(), expected_end - text.data()) << text;
    ASSERT_TRUE(number == expected || (std::isnan(number) && std::isnan(expected))) << text;
  }
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
