// SPDX-License-Identifier: Apache-2.0
// The reader accepts what nlohmann's parser accepts, which is strict, and reads the same from it.
#include "headway/io/json_reader.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "headway/base/rng.h"
#include "headway/io/json_text.h"

namespace headway {
namespace {

std::optional<nlohmann::json> by_nlohmann(const std::string& text) {
  nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  return json.is_discarded() ? std::nullopt : std::optional(json);
}

nlohmann::json value_of(JsonReader& in) {
  switch (in.kind()) {
    case JsonKind::object: {
      nlohmann::json json = nlohmann::json::object();
      in.object([&](const std::string& name) { json[name] = value_of(in); });
      return json;
    }
    case JsonKind::array: {
      nlohmann::json json = nlohmann::json::array();
      in.array([&] { json.push_back(value_of(in)); });
      return json;
    }
    case JsonKind::text:
      return in.text();
    case JsonKind::number:
      return in.number();
    case JsonKind::boolean:
      return in.boolean();
    case JsonKind::null:
      break;
  }
  in.null();
  return nullptr;
}

std::optional<nlohmann::json> read_all(const std::string& text) try {
  JsonReader in(text);
  nlohmann::json json = value_of(in);
  in.end();
  return json;
} catch (const BadJson&) {
  return std::nullopt;
}

void expect_the_same(const std::string& text) {
  const std::optional<nlohmann::json> expected = by_nlohmann(text), read = read_all(text);
  EXPECT_EQ(read, expected) << text;
  JsonReader skips(text);
  const auto skip = [&] {
    skips.skip();
    skips.end();
  };
  if (read)
    EXPECT_NO_THROW(skip()) << text;
  else
    EXPECT_THROW(skip(), BadJson) << text;
}

TEST(JsonReader, AcceptsJsonAndNothingElse) {
  for (const char* const text : {"null",
                                 " true ",
                                 "false",
                                 "0",
                                 "-0",
                                 "-0.0",
                                 "1.5e-3",
                                 "1E+2",
                                 "18446744073709551615",
                                 "18446744073709551616",
                                 "-9223372036854775808",
                                 "01",
                                 "-",
                                 "1.",
                                 ".5",
                                 "1e",
                                 "+1",
                                 "0x1",
                                 "NaN",
                                 "Infinity",
                                 "nul",
                                 "truefalse",
                                 "\"\"",
                                 "\"a\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
                                 "\"\\u00e9\\u20ac\\ud83d\\ude00\"",
                                 "\"\\ud83d\"",
                                 "\"\\ude00\"",
                                 "\"\\ud83d\\u0041\"",
                                 "\"\\u12g4\"",
                                 "\"\\u12\"",
                                 "\"\\x\"",
                                 "\"\n\"",
                                 "\"a",
                                 "\"\xc3\xa9\"",
                                 "\"\xff\"",
                                 "\"\xc3\"",
                                 "\"\xed\xa0\x80\"",
                                 "[]",
                                 "[ ]",
                                 "[1,2]",
                                 "[1 2]",
                                 "[1,]",
                                 "[,1]",
                                 "[",
                                 "]",
                                 "{}",
                                 "{ }",
                                 "{\"a\":1}",
                                 "{\"a\":1,\"b\":[{}]}",
                                 "{\"a\" 1}",
                                 "{\"a\":}",
                                 "{a:1}",
                                 "{\"a\":1,}",
                                 "{1:1}",
                                 "",
                                 " ",
                                 "1 2",
                                 "[1]]"})
    expect_the_same(text);
}

TEST(JsonReader, ReadsDamagedTextsAsStrictlyAsAnother) {
  const std::string sound =
      R"({"a": [1, -2.5e3, null, true, {"b\u00e9\n": "text \ud83d\ude00", "c": []}], "d": {"e": 0.1}})";
  Rng rng(3, 1);
  for (int trial = 0; trial < 20'000; ++trial) {
    std::string text = sound;
    constexpr std::string_view kLetters = "{}[]:,\"\\ue0129.-+ntf \n\xc3";
    for (std::uint32_t changes = 1 + rng.below(3); changes > 0; --changes) {
      const std::size_t at = rng.below(static_cast<std::uint32_t>(text.size()));
      const char letter = kLetters[rng.below(kLetters.size())];
      if (rng.below(3) == 0)
        text.erase(at, 1);
      else if (rng.below(2) == 0)
        text.insert(at, 1, letter);
      else
        text[at] = letter;
    }
    if (text.find("e9") != std::string::npos)
      continue;  // 1e99...: the two differ for numbers that are too small
    expect_the_same(text);
  }
}

TEST(JsonReader, SaysWhatItExpected) {
  const auto message = [](auto read) -> std::string {
    JsonReader in("[\"x\"]");
    try {
      read(in);
    } catch (const BadJson& bad) {
      return bad.what();
    }
    return "none";
  };
  EXPECT_EQ(message([](JsonReader& in) { in.number(); }), "a value is not a number");
  EXPECT_EQ(message([](JsonReader& in) { in.text(); }), "a value is not a text");
  EXPECT_EQ(message([](JsonReader& in) { in.object([](const std::string&) {}); }),
            "a value is not an object");
  EXPECT_EQ(message([](JsonReader& in) { in.array([&] { in.number(); }); }), "a value is not a number");
  EXPECT_EQ(message([](JsonReader& in) { in.array([&] { in.skip(); }); }), "none");
}

TEST(JsonReader, NumbersThatADoubleCannotHoldAreRefused) {
  EXPECT_FALSE(read_all("1e400"));
  EXPECT_EQ(JsonReader("1e300").number(), 1e300);
  EXPECT_EQ(JsonReader("5e-324").number(), 5e-324);
  EXPECT_THROW(JsonReader("1.5").whole(), BadJson);
  EXPECT_THROW(JsonReader("18446744073709551616").whole(), BadJson);
  EXPECT_EQ(JsonReader("18446744073709551615").whole(), UINT64_MAX);
}

TEST(JsonReader, DeepTextsAreRefused) {
  const std::size_t most = JsonReader::kMostDepth;
  EXPECT_TRUE(read_all(std::string(most, '[') + std::string(most, ']')));
  EXPECT_FALSE(read_all(std::string(most + 1, '[') + std::string(most + 1, ']')));
  EXPECT_FALSE(read_all(std::string(1'000'000, '[')));
}

// Strings of any bytes can be read back, but for bytes that are not UTF-8, and show nothing to a terminal.
TEST(JsonText, StringsAreStrict) {
  Rng rng(5, 1);
  for (int trial = 0; trial < 2000; ++trial) {
    std::string string;
    for (std::uint32_t length = rng.below(12); length > 0; --length)
      string += trial % 2 == 0 ? static_cast<char>(rng.below(256)) : static_cast<char>(rng.below(128));
    std::string text;
    append_json(text, string);
    const nlohmann::json expected = nlohmann::json::parse(
        nlohmann::json(string).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    EXPECT_EQ(nlohmann::json::parse(text), expected);
    EXPECT_EQ(JsonReader(text).text(), expected.get<std::string>());
    EXPECT_TRUE(
        std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 127; }));
  }
}

TEST(JsonText, NumbersKeepTheirKind) {
  std::string text;
  append_list(text, {1, -0.0, 0.5, 1e15, 1e300, std::numeric_limits<double>::quiet_NaN(), HUGE_VAL});
  EXPECT_EQ(text, "[1.0,-0.0,0.5,1000000000000000.0,1e+300,null,null]");
  text = "{";
  append_member(text, "a", std::uint64_t{UINT64_MAX});
  append_member(text, "b", 3.0);
  EXPECT_EQ(text, R"({"a":18446744073709551615,"b":3.0)");
}

// Longer than the chunk in which numbers are collected.
TEST(JsonText, LongListsAreWhole) {
  std::vector<double> numbers;
  for (int i = 0; i < 5000; ++i) numbers.push_back(i / 7.0);
  std::string text;
  append_list(text, numbers);
  EXPECT_EQ(nlohmann::json::parse(text).get<std::vector<double>>(), numbers);
}

}  // namespace
}  // namespace headway
