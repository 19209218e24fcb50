// SPDX-License-Identifier: Apache-2.0
// Text is read as an exact fraction times the factor of its unit, without floating point.
#include "headway/base/units.h"

#include <limits>
#include <numeric>
#include <span>
#include <stdexcept>

#include "headway/base/wide.h"

namespace headway {
namespace {

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

Rational reduced(SignedWide numerator, SignedWide denominator) {
  if (denominator < 0) {
    numerator = -numerator;
    denominator = -denominator;
  }
  if (numerator <= kLargest && numerator >= -kLargest && denominator <= kLargest)  // the common case
    return {static_cast<std::int64_t>(numerator), static_cast<std::int64_t>(denominator)};
  SignedWide a = numerator < 0 ? -numerator : numerator;
  SignedWide b = denominator;
  while (b != 0) {
    const SignedWide rest = a % b;
    a = b;
    b = rest;
  }
  numerator /= a;
  denominator /= a;
  if (numerator > kLargest || numerator < -kLargest || denominator > kLargest)
    throw std::overflow_error("a fraction needs more than 64 bits");
  return {static_cast<std::int64_t>(numerator), static_cast<std::int64_t>(denominator)};
}

struct Unit {
  std::string_view name;
  Rational factor;      // of the base unit: bytes, ns, bytes per ns
  bool written = true;  // to_string can use it
};

// In the order of preference among texts of equal length.
std::span<const Unit> byte_units() {
  static const Unit units[] = {{"B", 1},      {"KiB", 1LL << 10}, {"MiB", 1LL << 20},   {"GiB", 1LL << 30},
                               {"kB", 1'000}, {"MB", 1'000'000},  {"GB", 1'000'000'000}};
  return units;
}

std::span<const Unit> duration_units() {
  static const Unit units[] = {
      {"ns", 1}, {"us", 1'000}, {"ms", 1'000'000}, {"s", 1'000'000'000}, {"ps", {1, 1'000}}};
  return units;
}

std::span<const Unit> rate_units() {
  constexpr std::int64_t kGiga = 1'000'000'000;
  static const Unit units[] = {{"GB/s", 1},
                               {"MB/s", {1, 1'000}},
                               {"kB/s", {1, 1'000'000}},
                               {"B/s", {1, kGiga}},
                               {"TB/s", 1'000},
                               {"KiB/s", {1LL << 10, kGiga}, false},
                               {"MiB/s", {1LL << 20, kGiga}, false},
                               {"GiB/s", {1LL << 30, kGiga}, false},
                               {"bit/s", {1, 8 * kGiga}, false},
                               {"kbit/s", {1, 8'000'000}, false},
                               {"Mbit/s", {1, 8'000}, false},
                               {"Gbit/s", {1, 8}, false},
                               {"Tbit/s", 125, false},
                               {"b/s", {1, 8 * kGiga}, false},
                               {"kb/s", {1, 8'000'000}, false},
                               {"Mb/s", {1, 8'000}, false},
                               {"Gb/s", {1, 8}, false},
                               {"Tb/s", 125, false}};
  return units;
}

bool is_decimal(char c) { return c >= '0' && c <= '9'; }

void skip_spaces(std::string_view& text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
}

// Removes digits from the front and appends them to `value`. Returns false if there are none.
bool take_digits(std::string_view& text, Rational& value) {
  if (text.empty() || !is_decimal(text.front())) return false;
  for (; !text.empty() && is_decimal(text.front()); text.remove_prefix(1))
    value = value * 10 + (text.front() - '0');
  return true;
}

// Removes "12", "-1.5" or "1/3" from the front.
std::optional<Rational> take_rational(std::string_view& text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  Rational value = 0;
  if (!take_digits(text, value)) return std::nullopt;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    const std::size_t before = text.size();
    if (!take_digits(text, value)) return std::nullopt;
    for (std::size_t place = text.size(); place < before; ++place) value = value / 10;
  } else if (text.starts_with('/')) {
    text.remove_prefix(1);
    Rational denominator = 0;
    if (!take_digits(text, denominator) || denominator == 0) return std::nullopt;
    value = value / denominator;
  }
  return negative ? 0 - value : value;
}

std::optional<Rational> parse(std::string_view text, std::span<const Unit> units) try {
  skip_spaces(text);
  const auto number = take_rational(text);
  if (!number) return std::nullopt;
  skip_spaces(text);
  while (text.ends_with(' ')) text.remove_suffix(1);
  for (const Unit& unit : units)
    if (unit.name == text) return *number * unit.factor;
  return std::nullopt;
} catch (const std::overflow_error&) {
  return std::nullopt;
}

// A decimal number if the value has one with at most 18 places, otherwise a fraction. Empty if the text would
// have more than `most` characters.
std::string number_text(const Rational& value, std::size_t most) {
  const auto fraction = [&] {
    return std::to_string(value.numerator()) + '/' + std::to_string(value.denominator());
  };
  std::size_t places = 0;
  Rational scaled = value;
  try {
    for (; !scaled.is_integer(); ++places) {
      if (places >= most && fraction().size() > most) return "";
      scaled = scaled * 10;
    }
  } catch (const std::overflow_error&) {
    return fraction();
  }
  const bool negative = scaled.numerator() < 0;
  std::string digits = std::to_string(negative ? -scaled.numerator() : scaled.numerator());
  if (places > 0) {
    if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
    digits.insert(digits.size() - places, 1, '.');
  }
  return negative ? '-' + digits : digits;
}

std::string shortest_text(const Rational& value, std::span<const Unit> units) {
  std::string best;
  if (value == 0) return best.append("0 ").append(units.front().name);
  for (const Unit& unit : units) {
    if (!unit.written) continue;
    try {
      const std::size_t most = best.empty() ? std::string::npos : best.size() - unit.name.size() - 1;
      std::string text = number_text(value / unit.factor, most);
      if (text.empty()) continue;
      text.append(" ").append(unit.name);
      if (best.empty() || text.size() < best.size()) best = std::move(text);
    } catch (const std::overflow_error&) {
      continue;  // too small or too large for this unit
    }
  }
  return best;
}

}  // namespace

Rational::Rational(std::int64_t numerator, std::int64_t denominator) {
  if (denominator > 0) {
    const std::int64_t divisor = std::gcd(numerator, denominator);
    numerator_ = numerator / divisor;
    denominator_ = denominator / divisor;
  } else {
    *this = reduced(numerator, denominator);
  }
}

Rational operator+(const Rational& a, const Rational& b) {
  return reduced(SignedWide{a.numerator_} * b.denominator_ + SignedWide{b.numerator_} * a.denominator_,
                 SignedWide{a.denominator_} * b.denominator_);
}
Rational operator-(const Rational& a, const Rational& b) {
  return reduced(SignedWide{a.numerator_} * b.denominator_ - SignedWide{b.numerator_} * a.denominator_,
                 SignedWide{a.denominator_} * b.denominator_);
}
Rational operator*(const Rational& a, const Rational& b) {
  return reduced(SignedWide{a.numerator_} * b.numerator_, SignedWide{a.denominator_} * b.denominator_);
}
Rational operator/(const Rational& a, const Rational& b) {
  return reduced(SignedWide{a.numerator_} * b.denominator_, SignedWide{a.denominator_} * b.numerator_);
}
std::strong_ordering operator<=>(const Rational& a, const Rational& b) {
  return SignedWide{a.numerator_} * b.denominator_ <=> SignedWide{b.numerator_} * a.denominator_;
}

Rational common_divisor(const Rational& a, const Rational& b) {
  const std::int64_t shared = std::gcd(a.denominator(), b.denominator());
  return Rational(std::gcd(a.numerator(), b.numerator())) /
         (Rational(a.denominator() / shared) * Rational(b.denominator()));
}

std::optional<Bytes> parse_bytes(std::string_view text) {
  const auto value = parse(text, byte_units());
  if (!value || !value->is_integer()) return std::nullopt;
  return Bytes{value->numerator()};
}
std::optional<Duration> parse_duration(std::string_view text) {
  const auto value = parse(text, duration_units());
  if (!value) return std::nullopt;
  return Duration{*value};
}
std::optional<Rate> parse_rate(std::string_view text) {
  const auto value = parse(text, rate_units());
  if (!value) return std::nullopt;
  return Rate{*value};
}

std::string to_string(Bytes value) { return shortest_text(value.count, byte_units()); }
std::string to_string(Duration value) { return shortest_text(value.ns, duration_units()); }
std::string to_string(Rate value) { return shortest_text(value.bytes_per_ns, rate_units()); }

std::int64_t picoseconds(const Duration& time) {
  return static_cast<std::int64_t>(SignedWide{time.ns.numerator()} * 1000 / time.ns.denominator());
}

}  // namespace headway
