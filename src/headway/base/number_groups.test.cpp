// SPDX-License-Identifier: Apache-2.0
#include "headway/base/number_groups.h"

#include <gmock/gmock.h>

namespace headway {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(NumberGroups, KeepTheOrderOfNumbers) {
  const std::vector<std::uint32_t> group_of = {2, 0, kNone, 2, 2, 0};
  NumberGroups groups;
  for (int again = 0; again < 2; ++again) {
    groups.assign(4, group_of.size(), [&](std::uint32_t number) { return group_of[number]; });
    EXPECT_THAT(groups[0], ElementsAre(1, 5));
    EXPECT_THAT(groups[1], IsEmpty());
    EXPECT_THAT(groups[2], ElementsAre(0, 3, 4));
    EXPECT_THAT(groups[3], IsEmpty());
    EXPECT_THAT(groups.all(), ElementsAre(1, 5, 0, 3, 4));
  }
}

}  // namespace
}  // namespace headway
