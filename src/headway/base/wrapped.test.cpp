// SPDX-License-Identifier: Apache-2.0
#include "headway/base/wrapped.h"

#include <gtest/gtest.h>

namespace headway {
namespace {

TEST(Wrapped, BreaksBetweenWords) {
  EXPECT_EQ(wrapped("one two three", 0, 7), "one two\nthree\n");
  EXPECT_EQ(wrapped("one two three", 2, 7), "  one\n  two\n  three\n");
  EXPECT_EQ(wrapped("µµµ µµµ", 0, 7), "µµµ µµµ\n");
}

TEST(Wrapped, KeepsNumbersWithTheirUnitsAndThings) {
  EXPECT_EQ(wrapped("of 4 inputs of stage 1 from stage 0, busy", 0, 20),
            "of 4 inputs of\nstage 1 from\nstage 0, busy\n");
  EXPECT_EQ(wrapped("queue 0 (node 7 -> node 1)", 0, 13), "queue 0\n(node 7 ->\nnode 1)\n");
  EXPECT_EQ(wrapped("the link from switch 1 port 2 to switch 3 limits 5 % of", 0, 22),
            "the link from switch 1\nport 2 to switch 3\nlimits 5 % of\n");
  EXPECT_EQ(wrapped("is 12.3 ± 0.8 ns long", 0, 15), "is\n12.3 ± 0.8 ns\nlong\n");
  EXPECT_EQ(wrapped("stages 1 and 2 of Classes 3", 0, 8), "stages 1\nand 2 of\nClasses 3\n");
  EXPECT_EQ(wrapped("0.5 0.7 0.9 0.11", 0, 8), "0.5 0.7\n0.9 0.11\n");
}

TEST(InTwoColumns, PutsTextsBelowEachOther) {
  EXPECT_EQ(in_two_columns({{"a", "one"}, {"µµµ", "two"}}), "  a    one\n  µµµ  two\n");
}

TEST(Folded, LeavesLinesThatFit) {
  EXPECT_EQ(folded("one  two\n\nthree", 8), "one  two\n\nthree");
  EXPECT_EQ(folded("", 8), "");
}

TEST(Folded, ContinuesARowBelowItsText) {
  EXPECT_EQ(folded("  obqa  a few queues, shared\nnext\n", 20),
            "  obqa  a few\n        queues,\n        shared\nnext\n");
}

TEST(Folded, ContinuesOtherLinesBelowTheirFirstWord) {
  EXPECT_EQ(folded("  load = 0.9: saturated", 16), "  load = 0.9:\n  saturated");
  EXPECT_EQ(folded("a.toml:1: one two three", 16, 2), "a.toml:1: one\n  two three");
}

TEST(Folded, KeepsNumbersWithTheirUnits) {
  EXPECT_EQ(folded("at least 64 KiB or 5 %", 12), "at least\n64 KiB or\n5 %");
}

TEST(Folded, KeepsLongWords) {
  EXPECT_EQ(folded("a /very/long/path/of/a/file b", 10), "a\n/very/long/path/of/a/file\nb");
}

TEST(Columns, CountsCharactersAndNoMarks) {
  EXPECT_EQ(columns("± 3 µs"), 6U);
  EXPECT_EQ(columns("\xf9 bold\xf8"), 5U);
}

}  // namespace
}  // namespace headway
