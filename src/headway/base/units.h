// SPDX-License-Identifier: Apache-2.0
// Exact quantities such as "4 KiB", "1 GB/s" or "4 ns". They stay exact rationals until the build chooses a
// tick that divides all of them (modelling.md), so no duration is rounded.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace headway {

// A reduced fraction with positive denominator. Arithmetic throws std::overflow_error if a result needs more
// than 64 bits.
class Rational {
 public:
  constexpr Rational(std::int64_t value = 0) : numerator_(value) {}  // NOLINT: integers are rationals
  Rational(std::int64_t numerator, std::int64_t denominator);

  std::int64_t numerator() const { return numerator_; }
  std::int64_t denominator() const { return denominator_; }
  bool is_integer() const { return denominator_ == 1; }
  double to_double() const { return static_cast<double>(numerator_) / static_cast<double>(denominator_); }

  friend Rational operator+(const Rational& a, const Rational& b);
  friend Rational operator-(const Rational& a, const Rational& b);
  friend Rational operator*(const Rational& a, const Rational& b);
  friend Rational operator/(const Rational& a, const Rational& b);  // b != 0
  friend bool operator==(const Rational&, const Rational&) = default;
  friend std::strong_ordering operator<=>(const Rational& a, const Rational& b);

 private:
  std::int64_t numerator_ = 0;
  std::int64_t denominator_ = 1;
};

// The largest rational that divides both exactly: gcd(a/b, c/d) = gcd(ad, cb) / bd. One operand may be zero.
Rational common_divisor(const Rational& a, const Rational& b);

struct Bytes {
  std::int64_t count = 0;
  friend auto operator<=>(const Bytes&, const Bytes&) = default;
};
struct Duration {
  Rational ns;
  friend auto operator<=>(const Duration&, const Duration&) = default;
};
struct Rate {
  Rational bytes_per_ns;  // 1 byte per ns is 1 GB/s
  friend auto operator<=>(const Rate&, const Rate&) = default;
};

// Parse a number with its unit. Return nullopt for invalid text; never throw.
std::optional<Bytes> parse_bytes(std::string_view text);        // B, KiB, MiB, GiB, kB, MB, GB
std::optional<Duration> parse_duration(std::string_view text);  // ps, ns, us, ms, s
std::optional<Rate> parse_rate(std::string_view text);  // B/s .. TB/s, bit/s .. Tbit/s (also b/s), KiB/s ..

// The shortest exact text that parses back to the same quantity.
std::string to_string(Bytes value);
std::string to_string(Duration value);
std::int64_t picoseconds(const Duration& time);  // rounded down
std::string to_string(Rate value);

}  // namespace headway
