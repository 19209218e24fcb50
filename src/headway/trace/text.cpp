// SPDX-License-Identifier: Apache-2.0
#include "headway/trace/text.h"

#include <fmt/format.h>

#include <algorithm>

#include "headway/base/parse_number.h"

namespace headway {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// The text for an error message: shortened and without control characters.
std::string shown(std::string_view text) {
  std::string result(text.substr(0, 40));
  for (char& c : result)
    if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f) c = '?';
  return text.size() > 40 ? result + "..." : result;
}

}  // namespace

std::string decimal_ns(TraceTime time) {
  std::string text = fmt::format("{}.{:03}", time / kNanosecond, time % kNanosecond);
  text.resize(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::optional<SignedWide> decimal_number(std::string_view text, SignedWide unit) {
  constexpr int kMostDigits = 25;  // with a unit of a second in picoseconds still below 2^127
  SignedWide digits = 0;
  int count = 0, exponent = 0;
  bool any = false, point = false;
  std::size_t i = 0;
  for (; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '.' && !point) {
      point = true;
    } else if (c >= '0' && c <= '9') {
      any = true;
      if (count >= kMostDigits) {
        if (!point) return std::nullopt;
        continue;  // ignores digits far below a picosecond
      }
      if (c != '0' || count > 0) ++count;
      digits = digits * 10 + (c - '0');
      if (point) --exponent;
    } else {
      break;
    }
  }
  if (!any) return std::nullopt;
  if (i < text.size()) {
    if (text[i] != 'e' && text[i] != 'E') return std::nullopt;
    ++i;
    if (i < text.size() && text[i] == '+') ++i;
    const auto written = parse_number<int>(text.substr(i));
    if (!written || *written < -100 || *written > 100) return std::nullopt;
    exponent += *written;
  }
  SignedWide value = digits * unit;
  constexpr SignedWide kLimit = SignedWide{1} << 120;
  for (; exponent > 0 && value != 0; --exponent) {
    if (value > kLimit / 10) return std::nullopt;
    value *= 10;
  }
  for (; exponent < 0 && value != 0; ++exponent) value /= 10;
  return value > kLimit ? std::nullopt : std::optional(value);
}

std::optional<std::string_view> TextReader::line() {
  for (;;) {
    bytes_.take(std::exchange(to_take_, 0));
    const std::string_view text = bytes_.ahead(kLongestLine);
    if (text.empty()) return std::nullopt;
    ++line_number_;
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos && text.size() == kLongestLine) {
      for (std::string_view rest = text; !rest.empty(); rest = bytes_.ahead(kLongestLine)) {
        const std::size_t there = rest.find('\n');
        bytes_.take(there == std::string_view::npos ? rest.size() : there + 1);
        if (there != std::string_view::npos) break;
      }
      throw BadRecord{fmt::format("the line has more than {} characters", kLongestLine)};
    }
    to_take_ = end == std::string_view::npos ? text.size() : end + 1;
    const std::string_view content = trimmed(text.substr(0, end));
    if (!content.empty() && content.front() != '#') return content;
  }
}

const std::vector<std::string_view>& TextReader::split(std::string_view line, char separator) {
  fields_.clear();
  for (;;) {
    const std::size_t end = line.find(separator);
    fields_.push_back(trimmed(line.substr(0, end)));
    if (end == std::string_view::npos) return fields_;
    line.remove_prefix(end + 1);
  }
}

const std::vector<std::string_view>& TextReader::split_at_blanks(std::string_view line) {
  fields_.clear();
  for (line = trimmed(line); !line.empty(); line = trimmed(line)) {
    const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
    fields_.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
  return fields_;
}

void TextReader::expect_fields(std::size_t at_least, std::string_view layout) const {
  if (fields_.size() < at_least)
    throw BadRecord{fmt::format("it has {} of at least {} fields: {}", fields_.size(), at_least, layout)};
}

std::uint64_t TextReader::whole(std::string_view field, std::string_view what, int base) {
  if (base == 16 && (field.starts_with("0x") || field.starts_with("0X"))) field.remove_prefix(2);
  const auto number = parse_number<std::uint64_t>(field, base);
  if (!number) throw BadRecord{fmt::format("the {}, '{}', is not a whole number", what, shown(field))};
  return *number;
}

TextReader::Instant TextReader::time(std::string_view field, Instant unit, std::string_view what) {
  const auto value = decimal_number(field, unit);
  if (!value) throw BadRecord{fmt::format("the {}, '{}', is not a number of at least 0", what, shown(field))};
  return *value;
}

TraceTime TextReader::duration(std::string_view field, Instant unit, std::string_view what) {
  const Instant value = time(field, unit, what);
  if (value > INT64_MAX) throw BadRecord{fmt::format("the {}, {}, is too long", what, shown(field))};
  return static_cast<TraceTime>(value);
}

}  // namespace headway
