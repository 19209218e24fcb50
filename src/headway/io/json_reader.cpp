// SPDX-License-Identifier: Apache-2.0
// The grammar of RFC 8259.
#include "headway/io/json_reader.h"

#include "headway/base/parse_number.h"
#include "headway/base/visible.h"

namespace headway {
namespace {

[[noreturn]] void refuse() { throw BadJson("it is not JSON"); }

// A character beyond ASCII, in UTF-8.
void append_utf8(std::string& text, std::uint32_t code) {
  const auto byte = [&](std::uint32_t value) { text += static_cast<char>(value); };
  const auto following = [&](unsigned shift) { byte(0x80 | (code >> shift & 0x3f)); };
  if (code < 0x80) return byte(code);
  if (code < 0x800) {
    byte(0xc0 | code >> 6);
  } else if (code < 0x10000) {
    byte(0xe0 | code >> 12);
    following(6);
  } else {
    byte(0xf0 | code >> 18);
    following(12);
    following(6);
  }
  following(0);
}

template <class Number>
Number number_in(std::string_view text, const char* otherwise) {
  const auto number = parse_number<Number>(text);
  if (!number) throw BadJson(otherwise);
  return *number;
}

}  // namespace

JsonKind JsonReader::kind() {
  const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  while (!rest_.empty() && is_space(rest_.front())) rest_.remove_prefix(1);
  if (rest_.empty()) refuse();
  switch (rest_.front()) {
    case '{':
      return JsonKind::object;
    case '[':
      return JsonKind::array;
    case '"':
      return JsonKind::text;
    case 't':
    case 'f':
      return JsonKind::boolean;
    case 'n':
      return JsonKind::null;
    default:
      return JsonKind::number;
  }
}

void JsonReader::null() { word("null"); }

bool JsonReader::boolean() {
  if (kind() != JsonKind::boolean) throw BadJson("a value is neither true nor false");
  const bool value = rest_.front() == 't';
  word(value ? "true" : "false");
  return value;
}

double JsonReader::number() {
  if (kind() != JsonKind::number) throw BadJson("a value is not a number");
  return number_in<double>(number_text(), "a number is too large or too small");
}

std::uint64_t JsonReader::whole() {
  if (kind() != JsonKind::number) throw BadJson("a value is not a number");
  return number_in<std::uint64_t>(number_text(), "a value is not a whole number");
}

std::string_view JsonReader::scalar() {
  const JsonKind scalar = kind();
  if (scalar == JsonKind::number) return number_text();
  const std::string_view all = rest_;
  if (scalar == JsonKind::null)
    null();
  else
    boolean();
  return all.substr(0, all.size() - rest_.size());
}

std::string JsonReader::text() {
  if (kind() != JsonKind::text) throw BadJson("a value is not a text");
  rest_.remove_prefix(1);
  std::string text;
  bool ascii = true;
  for (;;) {
    std::size_t plain = 0;
    for (; plain < rest_.size() && rest_[plain] != '"' && rest_[plain] != '\\'; ++plain) {
      if (static_cast<unsigned char>(rest_[plain]) < ' ') refuse();
      ascii &= static_cast<unsigned char>(rest_[plain]) < 0x80;
    }
    text.append(rest_, 0, plain);
    if (plain == rest_.size()) refuse();
    const bool ends = rest_[plain] == '"';
    rest_.remove_prefix(plain + 1);
    if (ends) break;
    escape(text);
  }
  if (!ascii && !is_utf8(text)) refuse();
  return text;
}

void JsonReader::skip() {
  switch (kind()) {
    case JsonKind::object:
      return object([this](const std::string&) { skip(); });
    case JsonKind::array:
      return array([this] { skip(); });
    case JsonKind::text:
      text();
      return;
    default:
      scalar();
  }
}

void JsonReader::end() {
  if (rest_.find_first_not_of(" \t\n\r") != std::string_view::npos) refuse();
}

bool JsonReader::take(char c) {
  kind();
  if (rest_.front() != c) return false;
  rest_.remove_prefix(1);
  return true;
}

void JsonReader::expect(char c, JsonKind expected, const char* otherwise) {
  if (kind() != expected) throw BadJson(otherwise);
  take(c);
  if (++depth_ > kMostDepth) refuse();
}

bool JsonReader::begin(char close) {
  if (!take(close)) return true;
  --depth_;
  return false;
}

bool JsonReader::another(char close) {
  if (take(',')) return true;
  if (!take(close)) refuse();
  --depth_;
  return false;
}

void JsonReader::colon() {
  if (!take(':')) refuse();
}

void JsonReader::word(std::string_view expected) {
  kind();
  if (!rest_.starts_with(expected)) refuse();
  rest_.remove_prefix(expected.size());
}

std::string_view JsonReader::number_text() {
  std::size_t at = 0;
  const auto next_is = [&](std::string_view any) {
    return at < rest_.size() && any.find(rest_[at]) != std::string_view::npos;
  };
  const auto digits = [&] {
    const std::size_t first = at;
    while (at < rest_.size() && rest_[at] >= '0' && rest_[at] <= '9') ++at;
    if (at == first) refuse();
  };
  if (next_is("-")) ++at;
  if (next_is("0"))
    ++at;
  else
    digits();
  if (next_is(".")) {
    ++at;
    digits();
  }
  if (next_is("eE")) {
    ++at;
    if (next_is("+-")) ++at;
    digits();
  }
  const std::string_view text = rest_.substr(0, at);
  rest_.remove_prefix(at);
  return text;
}

// What follows a backslash.
void JsonReader::escape(std::string& text) {
  if (rest_.empty()) refuse();
  const char kind = rest_.front();
  rest_.remove_prefix(1);
  constexpr std::string_view kLetters = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
  if (const std::size_t letter = kLetters.find(kind); letter != std::string_view::npos) {
    text += kMeanings[letter];
    return;
  }
  if (kind != 'u') refuse();
  std::uint32_t code = code_unit();
  if (code >= 0xdc00 && code < 0xe000) refuse();
  if (code >= 0xd800 && code < 0xdc00) {  // the first of two that form one character
    if (!rest_.starts_with("\\u")) refuse();
    rest_.remove_prefix(2);
    const std::uint32_t second = code_unit();
    if (second < 0xdc00 || second >= 0xe000) refuse();
    code = 0x10000 + ((code - 0xd800) << 10) + (second - 0xdc00);
  }
  append_utf8(text, code);
}

std::uint32_t JsonReader::code_unit() {
  constexpr std::size_t kDigits = 4;
  const auto unit =
      rest_.size() < kDigits ? std::nullopt : parse_number<std::uint32_t>(rest_.substr(0, kDigits), 16);
  if (!unit) refuse();
  rest_.remove_prefix(kDigits);
  return *unit;
}

}  // namespace headway
