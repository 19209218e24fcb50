// SPDX-License-Identifier: Apache-2.0
#include "headway/base/plural.h"

#include <gtest/gtest.h>

namespace headway {
namespace {

TEST(Plural, IsRightInNumber) {
  EXPECT_EQ(plural(0, "tree"), "0 trees");
  EXPECT_EQ(plural(1, "tree"), "1 tree");
  EXPECT_EQ(plural(2, "tree"), "2 trees");
  EXPECT_EQ(plural(1, "memory"), "1 memory");
  EXPECT_EQ(plural(3, "memory"), "3 memories");
  EXPECT_EQ(plural(3, "way"), "3 ways");
}

}  // namespace
}  // namespace headway
