// SPDX-License-Identifier: Apache-2.0
#include "headway/base/kept.h"

#include <gtest/gtest.h>

namespace headway {
namespace {

struct Block {
  std::uint64_t size = 0;
  std::uint64_t bytes() const { return size; }
};

TEST(Kept, HandsOutWhatIsInUseOrWasUsedLast) {
  Kept<Block> kept(2, 100);
  std::weak_ptr<Block> a = kept.get("a"), b = kept.get("b");
  EXPECT_EQ(kept.get("a"), a.lock());
  const std::shared_ptr<Block> used = kept.get("b");
  kept.get("c");
  EXPECT_TRUE(a.expired());
  kept.get("d");
  EXPECT_EQ(kept.get("b"), used);  // not among the last two, but in use
}

TEST(Kept, LetsGoBeforeItTakesTooMuch) {
  Kept<Block> kept(10, 100);
  const std::weak_ptr<Block> large = kept.get("large");
  large.lock()->size = 1000;
  EXPECT_EQ(kept.get("large"), large.lock());  // the last requested value stays
  EXPECT_EQ(kept.bytes(), 1000U);
  kept.get("small")->size = 10;
  EXPECT_TRUE(large.expired());
  EXPECT_EQ(kept.bytes(), 10U);
  kept.get("another")->size = 10;
  kept.keep_at_most(15);
  EXPECT_EQ(kept.bytes(), 10U);
}

}  // namespace
}  // namespace headway
