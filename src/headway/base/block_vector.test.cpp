// SPDX-License-Identifier: Apache-2.0
#include "headway/base/block_vector.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace headway {
namespace {

TEST(BlockVector, HoldsWhatWasPutIn) {
  BlockVector<std::uint32_t> vector;
  const std::size_t count = 3 * BlockVector<std::uint32_t>::kBlock + 5;
  for (std::size_t i = 0; i < count; ++i) {
    vector.emplace_back();
    vector[i] = static_cast<std::uint32_t>(i * 7);
  }
  EXPECT_EQ(vector.size(), count);
  for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(vector[i], static_cast<std::uint32_t>(i * 7));
}

TEST(BlockVector, LosesItsLast) {
  BlockVector<std::uint32_t> vector;
  const auto count = static_cast<std::uint32_t>(2 * BlockVector<std::uint32_t>::kBlock + 1);
  for (std::uint32_t i = 0; i < count; ++i) vector.push_back(i);
  for (std::uint32_t i = count; i-- > 0; vector.pop_back()) ASSERT_EQ(vector.back(), i);
  EXPECT_EQ(vector.size(), 0U);
  vector.push_back(7);
  EXPECT_EQ(vector[0], 7U);
}

TEST(BlockVector, DoesNotMoveWhatFillsBlocks) {
  BlockVector<std::uint64_t> vector;
  const std::size_t block = BlockVector<std::uint64_t>::kBlock;
  for (std::size_t i = 0; i < block; ++i) vector.emplace_back();
  const std::uint64_t* const first = &vector[0];
  for (std::size_t i = 0; i < 5 * block; ++i) vector.emplace_back();
  EXPECT_EQ(&vector[0], first);
}

}  // namespace
}  // namespace headway
