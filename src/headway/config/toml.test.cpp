// SPDX-License-Identifier: Apache-2.0
// Values and places are read; written text reads back; invalid TOML is refused with line and column.
#include "headway/config/toml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headway/base/error.h"

namespace headway {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string error_of(std::string_view text) {
  try {
    parse_toml(text, "x.toml");
  } catch (const SpecError& error) {
    return error.what();
  }
  return "no error";
}

std::string repeated(std::string_view part, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += part;
  return text;
}

TEST(Toml, WritesWhatItReadsInTheSameOrder) {
  const std::string text =
      "zeta = true\n"
      "alpha = -3\n"
      "\n"
      "[network]\n"
      "link = { rate = \"1 GB/s\", delay = \"4 ns\" }\n"
      "\"a key\" = \"tab\\u0009 quote\\\" back\\\\slash\"\n"
      "\n"
      "[traffic]\n"
      "packet = \"64 B\"\n"
      "\n"
      "[[traffic.flow]]\n"
      "load = [[\"0 us\", 0.0], [\"3 ms\", 1e-07]]\n"
      "\n"
      "[[traffic.flow]]\n"
      "load = 0.1\n"
      "\n"
      "[sweep]\n"
      "\"traffic.flow.sources\" = [{ first = 8 }, { rest = true }]\n"
      "seed = [1, 2]\n";
  EXPECT_EQ(write_toml(parse_toml(text, "x")), text);
}

TEST(Toml, ReadsSingleValuesAndElseText) {
  const std::pair<std::string_view, std::string_view> cases[] = {{"8", "8"},
                                                                 {"0.5", "0.5"},
                                                                 {"true", "true"},
                                                                 {"\"4 KiB\"", "\"4 KiB\""},
                                                                 {"[1, 2]", "[1, 2]"},
                                                                 {"obqa", "\"obqa\""},
                                                                 {"4 KiB", "\"4 KiB\""},
                                                                 {"{ first = 8 }", "{ first = 8 }"},
                                                                 {"", "\"\""},
                                                                 {"1\nx = 2", "\"1\\u000ax = 2\""}};
  for (const auto& [text, value] : cases) EXPECT_EQ(to_text(parse_toml_value(text, "--set")), value) << text;
  EXPECT_EQ(parse_toml_value("8", "--set").where, "--set");
  const Document list = parse_toml_value("[{ first = 8 }]", "--set");
  EXPECT_EQ(std::get<Document::Array>(list.value)[0].member("first")->where, "--set");
}

TEST(Toml, RefusesListsOfNamesWithoutQuotes) {
  for (const char* const text : {"[dbbm,obqa]", "[4 KiB, 8 KiB]", "{ first = 8", "[1, 2"})
    EXPECT_THROW(parse_toml_value(text, "--set"), SpecError) << text;
}

TEST(Toml, SaysWhereItIsWrong) {
  EXPECT_THAT(error_of("a = 1\nb = = 2\n"), StartsWith("x.toml:2:5: "));
  EXPECT_EQ(error_of("a = 1\n[b]\n[=]\nc = 2\n"),
            "x.toml:3:1: a table's name must begin with a letter, a digit or a quote");
  EXPECT_THAT(error_of("[a\n"), StartsWith("x.toml:1:"));
  EXPECT_THAT(error_of("a = 1\na = 2\n"), StartsWith("x.toml:2:"));
  EXPECT_THAT(error_of("a = \"\xff\"\n"), StartsWith("x.toml:1:"));
  EXPECT_THAT(error_of("a = \ufe3f1\n"), StartsWith("x.toml:1:5: "));
  EXPECT_EQ(
      error_of("a = 1\nb = 2020-01-01\n"),
      "x.toml:2:5: no key has a date or a time of day as its value; write a simulated time as \"250 us\"");
  EXPECT_THROW(read_toml("/nowhere/at/all.toml"), SpecError);
  EXPECT_THROW(read_toml("/"), SpecError);
}

TEST(Toml, BoundsDepth) {
  EXPECT_THAT(error_of("a" + repeated(".a", 100'000) + " = 1"), HasSubstr("a name with more than 250 dots"));
  EXPECT_THAT(error_of("a = " + repeated("[", 100'000)), StartsWith("x.toml:1:"));
  EXPECT_THAT(error_of("a = " + repeated("{a=", 100'000)), StartsWith("x.toml:1:"));
  EXPECT_THAT(error_of("a" + repeated(".a", 200) + " = 1"), HasSubstr("more than 32 deep"));
  std::string nested;
  for (int level = 0; level < 30; ++level) nested += "[\n{ a" + repeated(".a", 249) + " = ";
  EXPECT_THAT(error_of("a = " + nested), StartsWith("x.toml:"));
}

// Dots of comments, texts and numbers make no tables.
TEST(Toml, CountsTheDotsOfNamesOnly) {
  const std::string dots = repeated(".a", 300), other = repeated(" . \"c\"", 300), three = "\"\"\"";
  for (const std::string& text :
       {"a = 1 # see" + dots, "# b" + dots, "a = \"b" + dots + "\"", "a = 'b" + dots + "\\'",
        "a = \"\\\"" + dots + "\"", "a = " + three + "\n# " + dots + "\"\n\"" + three,
        "a = '''\n' " + dots + "'''", "a = [" + repeated("0.5, ", 300) + "0.5]"})
    EXPECT_EQ(error_of(text), "no error") << text;
  for (const std::string& text : {"a" + dots + " = 1", "[a" + dots + "]", "a = \"#\"\nb" + dots + " = 1",
                                  "a = " + three + "#" + three + "\nb" + dots + " = 1",
                                  "a = {\"b\"" + other + " = 1}", "a = [{b = ''''#''', c" + dots + " = 1}]"})
    EXPECT_THAT(error_of(text), HasSubstr("a name with more than 250 dots")) << text;
}

TEST(Toml, HasALargestSizeAndNumberOfValues) {
  EXPECT_EQ(error_of("a = \"" + std::string(33 << 20, 'x') + '"'),
            "x.toml: is larger than 32 MiB, the maximum for a TOML file");
  std::string many = "a = [";
  for (int i = 0; i < 3'000'000; ++i) many += "1,";
  EXPECT_EQ(error_of(many + "]"), "x.toml: has more than 3000000 values, the maximum for a TOML file");
}

TEST(Toml, WritesLongListsThatItCanRead) {
  Document::Array loads;
  for (int i = 0; i < 1000; ++i) loads.push_back(Document(i + 0.5));
  Document::Array rows(3, Document(loads));
  Document document{Document::Table{}};
  document.set("a", Document(loads));
  document.set("b", Document(rows));
  EXPECT_EQ(parse_toml(write_toml(document), "x.toml"), document);
  EXPECT_EQ(write_toml(Document(Document::Table{{"a", "", Document(Document::Array(2, Document(0.5)))}})),
            "a = [0.5, 0.5]\n");
}

}  // namespace
}  // namespace headway
