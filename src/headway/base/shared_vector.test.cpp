// SPDX-License-Identifier: Apache-2.0
#include "headway/base/shared_vector.h"

#include <gtest/gtest.h>

#include <optional>

namespace headway {
namespace {

TEST(SharedVector, SharesItsElementsWithCopies) {
  std::optional<SharedVector<int>> first(std::vector{3, 1, 4});
  const SharedVector<int> copy = *first;
  EXPECT_EQ(&copy[0], &(*first)[0]);
  first.reset();
  EXPECT_EQ(copy.size(), 3U);
  EXPECT_EQ(copy[2], 4);
  EXPECT_EQ(copy.bytes(), 3 * sizeof(int));
  EXPECT_TRUE(SharedVector<int>().empty());
}

}  // namespace
}  // namespace headway
