// SPDX-License-Identifier: Apache-2.0
#include "headway/base/memo.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace headway {
namespace {

struct Block {
  std::uint64_t size = 0;
  std::uint64_t bytes() const { return size; }
};

std::shared_ptr<const Block> block(Memo& memo, const std::string& key, std::uint64_t size = 0) {
  return memo.get<Block>(key, [size] { return Block{size}; });
}

TEST(Memo, HandsOutWhatIsInUseOrWasUsedLast) {
  Memo memo(100, 2);
  std::weak_ptr<const Block> a = block(memo, "a"), b = block(memo, "b");
  EXPECT_EQ(block(memo, "a"), a.lock());
  const std::shared_ptr<const Block> used = block(memo, "b");
  block(memo, "c");
  EXPECT_TRUE(a.expired());
  block(memo, "d");
  EXPECT_EQ(block(memo, "b"), used);  // not among the last two, but in use
}

TEST(Memo, LetsGoBeforeItTakesTooMuch) {
  Memo memo(100, 10);
  const std::weak_ptr<const Block> large = block(memo, "large", 1000);
  EXPECT_EQ(block(memo, "large"), large.lock());  // the last requested value stays
  EXPECT_EQ(memo.bytes(), 1000U);
  block(memo, "small", 10);
  EXPECT_TRUE(large.expired());
  EXPECT_EQ(memo.bytes(), 10U);
  block(memo, "another", 10);
  memo.keep_at_most(15);
  EXPECT_EQ(memo.bytes(), 10U);
}

TEST(Memo, KeepsTypesApart) {
  struct Other : Block {};
  Memo memo(100, 1);
  const std::weak_ptr<const Block> first = block(memo, "a", 90);
  EXPECT_EQ(memo.get<Other>("a", [] { return Other{{90}}; })->size, 90U);
  EXPECT_FALSE(first.expired());
}

TEST(Memo, MakesAgainWhatFailed) {
  Memo memo;
  EXPECT_THROW(memo.get<Block>("a", []() -> Block { throw std::runtime_error("no"); }), std::runtime_error);
  EXPECT_EQ(block(memo, "a", 7)->size, 7U);
}

TEST(Memo, MakesAValueOnceForManyThreads) {
  Memo memo;
  std::vector<std::shared_ptr<const Block>> blocks(8);
  {
    std::vector<std::jthread> threads;
    for (auto& mine : blocks) threads.emplace_back([&] { mine = block(memo, "a"); });
  }
  EXPECT_EQ(blocks, std::vector(8, blocks[0]));
}

TEST(Memo, ForgetsTheKeysOfFreedValues) {
  Memo memo(100, 2);
  for (int i = 0; i < 1000; ++i) block(memo, std::to_string(i), 60);
  EXPECT_EQ(memo.bytes(), 60U);
}

}  // namespace
}  // namespace headway
