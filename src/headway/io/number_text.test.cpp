// SPDX-License-Identifier: Apache-2.0
#include "headway/io/number_text.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "headway/base/rng.h"

namespace headway {
namespace {

std::string digits_of(double number) {
  std::string text;
  append_number(text, number);
  return text;
}

TEST(NumberText, HasTheFewestDigits) {
  const double numbers[] = {0.0,
                            -0.0,
                            1,
                            -1,
                            0.5,
                            -0.5,
                            0.1,
                            1.0 / 3,
                            0.0001,
                            0.000099,
                            1e-6,
                            999999.999999,
                            999'999'999.9999995,
                            1e9,
                            1e9 + 0.5,
                            1e15 - 1,
                            1e15,
                            1e16,
                            1.5e300,
                            5e-324,
                            9'007'199'254'740'992,
                            std::numeric_limits<double>::max(),
                            std::numeric_limits<double>::min()};
  for (const double number : numbers) EXPECT_EQ(digits_of(number), fmt::format("{}", number));
}

// Numbers of few decimals and their neighbours, and any numbers.
TEST(NumberText, IsTheTextOfFmt) {
  Rng rng(1, 1);
  for (int trial = 0; trial < 200'000; ++trial) {
    const auto digits = static_cast<double>(rng.below(2'000'000'000));
    const double decimal = digits / std::pow(10, static_cast<double>(rng.below(10)));
    const auto bits = (std::uint64_t{rng.below(UINT32_MAX)} << 32) | rng.below(UINT32_MAX);
    const auto any = std::bit_cast<double>(bits);
    for (const double number :
         {decimal, -decimal, std::nextafter(decimal, 1e300), std::nextafter(decimal, 0), any})
      if (std::isfinite(number)) ASSERT_EQ(digits_of(number), fmt::format("{}", number));
  }
}

}  // namespace
}  // namespace headway
