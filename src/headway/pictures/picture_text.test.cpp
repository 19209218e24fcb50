// SPDX-License-Identifier: Apache-2.0
#include "headway/pictures/picture_text.h"

#include <gmock/gmock.h>

namespace headway {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::IsEmpty;
using testing::SizeIs;

TEST(PictureText, BreaksAtSpaces) {
  EXPECT_THAT(wrapped("Offered load", 230), ElementsAre("Offered load"));
  EXPECT_THAT(wrapped("Throughput (fraction of link rate, all nodes)", 135),
              ElementsAre("Throughput (fraction of", "link rate, all nodes)"));
  EXPECT_THAT(wrapped("", 100), IsEmpty());
}

TEST(PictureText, LinesFit) {
  for (const std::string text :
       {"iiiiiiiiii iii", "WWWWWWWWWWWWWWWWWWWW", "latency_of_a_tree.without.any.space"})
    for (const std::string& line : wrapped(text, 40)) EXPECT_LE(width_of(line), 40) << text;
}

TEST(PictureText, NeverBreaksALetter) {
  for (const std::string& line : wrapped("µµµµµµµµµµµµµµµµ", 20)) EXPECT_EQ(line.size() % 2, 0U) << line;
}

TEST(PictureText, EndsSomewhere) {
  const std::vector<std::string> lines = wrapped(std::string(100'000, 'x'), 200);
  EXPECT_THAT(lines, SizeIs(4));
  EXPECT_THAT(lines.back(), EndsWith("…"));
}

TEST(PictureText, IsPrintable) { EXPECT_THAT(wrapped("a\n\x1b[2J", 100), ElementsAre("a\\x0a\\x1b[2J")); }

}  // namespace
}  // namespace headway
