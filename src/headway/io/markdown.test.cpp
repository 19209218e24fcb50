// SPDX-License-Identifier: Apache-2.0
#include "headway/io/markdown.h"

#include <gtest/gtest.h>

namespace headway {
namespace {

TEST(Markdown, PlainTextStays) {
  EXPECT_EQ(markdown_text("OBQA, 4 queues: 50 % (µs) *so*"), "OBQA, 4 queues: 50 % (µs) *so*");
}

TEST(Markdown, TextIsNothingButText) {
  EXPECT_EQ(markdown_text("a | b"), "a \\| b");
  EXPECT_EQ(markdown_text("<script>"), "&lt;script>");
  EXPECT_EQ(markdown_text("<!-- end obqa -->"), "&lt;!-- end obqa -->");
  EXPECT_EQ(markdown_text("![x](http://a)"), "!\\[x\\](http://a)");
  EXPECT_EQ(markdown_text("`touch PWNED`"), "\\`touch PWNED\\`");
  EXPECT_EQ(markdown_text("x \\"), "x \\\\");
}

TEST(Markdown, ALineEndBeginsNoHeading) { EXPECT_EQ(markdown_text("a\n# b\x1b"), "a # b\\\\x1b"); }

}  // namespace
}  // namespace headway
