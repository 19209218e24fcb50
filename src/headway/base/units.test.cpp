// SPDX-License-Identifier: Apache-2.0
// Quantities are read exactly, written as the shortest text that reads back, and never overflow silently.
#include "headway/base/units.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>
#include <stdexcept>

namespace headway {
namespace {

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

TEST(Rational, IsReducedWithAPositiveDenominator) {
  EXPECT_EQ(Rational(6, -4), Rational(-3, 2));
  EXPECT_EQ(Rational(0, 7), Rational(0));
  EXPECT_EQ(Rational(1, 3) + Rational(1, 6), Rational(1, 2));
  EXPECT_EQ(Rational(1, 3) - Rational(1, 2), Rational(-1, 6));
  EXPECT_EQ(Rational(2, 3) * Rational(3, 4), Rational(1, 2));
  EXPECT_EQ(Rational(2, 3) / Rational(-4, 3), Rational(-1, 2));
  EXPECT_LT(Rational(1, 3), Rational(34, 100));
  EXPECT_GT(Rational(kLargest, 2), Rational(kLargest - 1, 2));
}

TEST(Rational, RefusesToOverflow) {
  EXPECT_THROW(Rational(kLargest) + 1, std::overflow_error);
  EXPECT_THROW(Rational(kLargest) * 2, std::overflow_error);
  EXPECT_THROW(Rational(1, kLargest) / 2, std::overflow_error);
  EXPECT_THROW(common_divisor({1, kLargest}, {1, kLargest - 1}), std::overflow_error);
  EXPECT_EQ(Rational(kLargest, 2) * 2, Rational(kLargest));
}

TEST(Rational, CommonDivisorDividesBothExactly) {
  const struct {
    Rational a, b, divisor;
  } cases[] = {
      {4, 6, 2}, {{2, 3}, {1, 2}, {1, 6}}, {{2, 3}, 4, {2, 3}}, {0, {3, 7}, {3, 7}}, {{1, 3}, 1, {1, 3}}};
  for (const auto& [a, b, divisor] : cases) EXPECT_EQ(common_divisor(a, b), divisor);
}

TEST(Units, BytesAreExact) {
  const struct {
    std::string_view text;
    std::optional<std::int64_t> count;
  } cases[] = {{"64 B", 64},
               {"4 KiB", 4096},
               {"1.5 KiB", 1536},
               {"2MiB", 2 << 20},
               {"1 GiB", 1 << 30},
               {"1 kB", 1000},
               {"3 MB", 3'000'000},
               {"1 GB", 1'000'000'000},
               {"-1 B", -1},
               {" 8  B ", 8},
               {"0.5 B", {}},
               {"4", {}},
               {"4 kib", {}},
               {"KiB", {}},
               {"", {}},
               {"4 KiB/s", {}},
               {"1e3 B", {}},
               {"4 KiBB", {}},
               {"4. B", {}},
               {".5 KiB", {}},
               {"1/0 B", {}},
               {"9223372036854775807 B", kLargest},
               {"9223372036854775808 B", {}},
               {"9007199254740993 KiB", {}}};
  for (const auto& [text, count] : cases) {
    const auto bytes = parse_bytes(text);
    EXPECT_EQ(bytes ? std::optional(bytes->count) : std::nullopt, count) << text;
  }
}

TEST(Units, DurationsAndRatesAreExact) {
  const struct {
    std::string_view text;
    Rational ns;
  } durations[] = {{"4 ns", 4},         {"250 us", 250'000},    {"0 ns", 0},         {"1.5 ms", 1'500'000},
                   {"1 ps", {1, 1000}}, {"2 s", 2'000'000'000}, {"0.1 ns", {1, 10}}, {"1/3 ns", {1, 3}}};
  for (const auto& [text, ns] : durations) EXPECT_EQ(parse_duration(text), Duration{ns}) << text;
  const struct {
    std::string_view text;
    Rational bytes_per_ns;
  } rates[] = {{"1 GB/s", 1},
               {"1.5 GB/s", {3, 2}},
               {"100 Gbit/s", {25, 2}},
               {"8 b/s", {1, 1'000'000'000}},
               {"1 Tbit/s", 125},
               {"2 TB/s", 2000},
               {"1 MiB/s", {1 << 20, 1'000'000'000}},
               {"800 Mb/s", {1, 10}}};
  for (const auto& [text, rate] : rates) EXPECT_EQ(parse_rate(text), Rate{rate}) << text;
  for (const std::string_view text : {"4", "4 GB/s", "4 nss", "ns", "4 n s"})
    EXPECT_FALSE(parse_duration(text)) << text;
  for (const std::string_view text : {"1", "1 GB", "1 gB/s", "GB/s"}) EXPECT_FALSE(parse_rate(text)) << text;
}

TEST(Units, AreWrittenAsTheShortestText) {
  const std::pair<Bytes, std::string_view> bytes[] = {{{64}, "64 B"}, {{4096}, "4 KiB"},     {{1000}, "1 kB"},
                                                      {{0}, "0 B"},   {{131072}, "128 KiB"}, {{-5}, "-5 B"}};
  for (const auto& [value, text] : bytes) EXPECT_EQ(to_string(value), text);
  const std::pair<Duration, std::string_view> durations[] = {
      {{4}, "4 ns"},           {{250'000}, "250 us"}, {{0}, "0 ns"},          {{{1, 2}}, "0.5 ns"},
      {{1'500'000}, "1.5 ms"}, {{{1, 3}}, "1/3 ns"},  {{{-1, 4}}, "-250 ps"}, {{{1, 1000}}, "1 ps"}};
  for (const auto& [value, text] : durations) EXPECT_EQ(to_string(value), text);
  const std::pair<Rate, std::string_view> rates[] = {
      {{1}, "1 GB/s"}, {{{25, 2}}, "12.5 GB/s"}, {{{1, 1000}}, "1 MB/s"}, {{{1, 3}}, "1/3 GB/s"}};
  for (const auto& [value, text] : rates) EXPECT_EQ(to_string(value), text);
}

RC_GTEST_PROP(Units, ReadBackWhatTheyWrite, (std::int64_t numerator, std::int64_t denominator)) {
  RC_PRE(denominator != 0 && numerator != std::numeric_limits<std::int64_t>::min() &&
         denominator != std::numeric_limits<std::int64_t>::min());
  const Rational value(numerator, denominator);
  RC_ASSERT(parse_bytes(to_string(Bytes{numerator})) == Bytes{numerator});
  RC_ASSERT(parse_duration(to_string(Duration{value})) == Duration{value});
  RC_ASSERT(parse_rate(to_string(Rate{value})) == Rate{value});
}

}  // namespace
}  // namespace headway
