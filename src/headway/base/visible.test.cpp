// SPDX-License-Identifier: Apache-2.0
// Characters that control a terminal are shown as escapes; printable text is unchanged.
#include "headway/base/visible.h"

#include <gtest/gtest.h>

#include <string>

namespace headway {
namespace {

TEST(Visible, PrintableTextStays) {
  for (const std::string text :
       {"", "a `b` $c 'd' \"e\" \\n ~", "Zeit (µs), 1 – 2 → 3", "日本", "😀", "\xc2\xa0"}) {
    EXPECT_EQ(visible(text), text);
    EXPECT_EQ(visible_lines(text), text);
    EXPECT_TRUE(is_visible(text));
  }
}

TEST(Visible, WhatSteersATerminalIsShownAsItsNumber) {
  const struct {
    std::string text, shown;
  } cases[] = {{"\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"},
               {"\rfake", "\\x0dfake"},
               {std::string("a\0b", 3), "a\\x00b"},
               {"\a\b\x7f", "\\x07\\x08\\x7f"},
               {"one\ntwo\tthree", "one\\x0atwo\\x09three"},
               {"\xc2\x9b"
                "31m",
                "\\u009b31m"},                                // CSI of C1
               {"\xe2\x80\xaegnp.exe", "\\u202egnp.exe"},     // right-to-left override
               {"\xe2\x80\xa8", "\\u2028"},                   // line separator
               {"\xef\xbf\xbf", "\\uffff"},                   // a noncharacter
               {"\xff\xfe", "\\xff\\xfe"},                    // not UTF-8
               {"\xc0\x9b", "\\xc0\\x9b"},                    // overlong
               {"\xed\xa0\x80", "\\xed\\xa0\\x80"},           // a surrogate
               {"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},  // above Unicode
               {"caf\xc3", "caf\\xc3"},                       // cut off
               {"\xe2\x82x", "\\xe2\\x82x"}};
  for (const auto& [text, shown] : cases) {
    EXPECT_EQ(visible(text), shown);
    EXPECT_FALSE(is_visible(text));
  }
}

TEST(Visible, LinesKeepTheirEnds) { EXPECT_EQ(visible_lines("one\n\ttwo\r\x1b"), "one\n\ttwo\\x0d\\x1b"); }

TEST(Visible, DocumentsAreEscapedAsTheirStringsAre) {
  EXPECT_EQ(escaped("{\"a\": \"\x7f\xc2\x9b µ\"}\n"), "{\"a\": \"\\u007f\\u009b µ\"}\n");
}

TEST(Visible, EveryByteComesOutPrintable) {
  std::string all;
  for (int a = 0; a < 256; ++a)
    for (int b = 0; b < 256; ++b) all += {static_cast<char>(a), static_cast<char>(b)};
  EXPECT_TRUE(is_visible(visible(all)));
}

TEST(Visible, Utf8IsToldFromOtherBytes) {
  for (const std::string_view good : {"", "plain", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF",
                                      "\xEE\x80\x80", "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF",
                                      "a\xC3\xBC"
                                      "b"})
    EXPECT_TRUE(is_utf8(good)) << good;
  for (const std::string_view bad :
       {"\x80", "\xFF", "a\xC3", "\xC0\xAF", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xE2\x82",
        "\xE2\x28\xA1", "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xF0\x90\x80"})
    EXPECT_FALSE(is_utf8(bad)) << ::testing::PrintToString(bad);
}

}  // namespace
}  // namespace headway
