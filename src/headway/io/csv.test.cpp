// SPDX-License-Identifier: Apache-2.0
#include "headway/io/csv.h"

#include <gtest/gtest.h>

#include <limits>

namespace headway {
namespace {

TEST(Csv, ACellIsQuotedWhereItMust) {
  const std::pair<std::string_view, std::string_view> cases[] = {{"", ""},
                                                                 {"plain text", "plain text"},
                                                                 {"a,b", "\"a,b\""},
                                                                 {"say \"so\"", "\"say \"\"so\"\"\""},
                                                                 {"'`touch PWNED`'", "'`touch PWNED`'"}};
  for (const auto& [text, cell] : cases) EXPECT_EQ(csv_cell(text), cell);
}

TEST(Csv, ARowStaysOneLineThatATerminalCanShow) {
  EXPECT_EQ(csv_cell("a\r\nb"), "a\\x0d\\x0ab");
  EXPECT_EQ(csv_cell("\x1b[2J,"), "\"\\x1b[2J,\"");
}

TEST(Csv, NumbersReadBackAsTheSame) {
  EXPECT_EQ(csv_cell(0.1), "0.1");
  EXPECT_EQ(csv_cell(2.5e-300), "2.5e-300");
  EXPECT_EQ(csv_cell(std::numeric_limits<double>::quiet_NaN()), "");
  EXPECT_EQ(csv_cell(std::numeric_limits<double>::infinity()), "");
}

}  // namespace
}  // namespace headway
