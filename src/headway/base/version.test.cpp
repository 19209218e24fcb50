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

// A person must see whether a build is slow (Debug, sanitizers), and learn nothing of the machine that made
// it.
TEST(Version, BuildHasItsTypeAndNoPath) {
  EXPECT_THAT(
      std::string(build()),
      testing::MatchesRegex("[A-Za-z]+ build for [A-Za-z]+ on [a-z0-9_]+(, portable)?(, under sanitizers)?, "
                            "[0-9]+ instances of the engine"));
}

}  // namespace
}  // namespace headway
