// SPDX-License-Identifier: Apache-2.0
// The version texts that the build writes have the documented form.
#include "headway/base/version.h"

#include <gmock/gmock.h>

namespace headway {
namespace {

TEST(Version, IsThreeNumbers) {
  EXPECT_THAT(std::string(version()), testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+"));
}

TEST(Version, GitIdIsACommitOrUnknown) {
  EXPECT_THAT(std::string(git_id()), testing::MatchesRegex("unknown|[0-9a-f]{12,40}(-dirty)?"));
}

TEST(Version, CompilerHasNameAndNumber) {
  EXPECT_THAT(std::string(compiler()), testing::MatchesRegex("(gcc|clang) [0-9]+\\.[0-9]+.*"));
}

}  // namespace
}  // namespace headway
