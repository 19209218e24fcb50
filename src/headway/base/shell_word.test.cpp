// SPDX-License-Identifier: Apache-2.0
#include "headway/base/shell_word.h"

#include <gtest/gtest.h>

#include "tests/cli/shell.h"

namespace headway {
namespace {

TEST(ShellWord, IsQuotedWhereItMust) {
  EXPECT_EQ(shell_word("--set"), "--set");
  EXPECT_EQ(shell_word("switch.queues=8"), "switch.queues=8");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("my file.toml"), "'my file.toml'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word("a\n\x1b[2J"),
            "$'a\\012\\033\\133"
            "2J'");
}

class ShellWords : public test::ShellTest {};

TEST_F(ShellWords, BashReadsThemBack) {
  for (const std::string word : {"'`touch PWNED`.csv'", "$(touch PWNED)", "a\nb;touch PWNED\n", "\\", "!x",
                                 "a\x01"
                                 "23",
                                 "\xff'\xc2\x9b", "~", "*", "#", "x y", "-", "{a,b}", "\t"})
    EXPECT_EQ(shell("printf %s " + shell_word(word)).out, word) << word;
  EXPECT_FALSE(std::filesystem::exists(directory_ / "PWNED"));
}

}  // namespace
}  // namespace headway
