// SPDX-License-Identifier: Apache-2.0
// All mistakes are thrown at once, one line each.
#include "headway/base/error.h"

#include <gtest/gtest.h>

namespace headway {
namespace {

TEST(SpecError, HasALinePerMistake) {
  Mistakes mistakes;
  mistakes.throw_if_any();
  mistakes.add({"switch.queues", "0 is too small", "at least 1", "my.toml:3:1"});
  mistakes.add("seed", "must be an integer");
  try {
    mistakes.throw_if_any();
    FAIL();
  } catch (const SpecError& error) {
    EXPECT_STREQ(error.what(),
                 "my.toml:3:1: switch.queues: 0 is too small; at least 1\nseed: must be an integer");
    EXPECT_EQ(error.mistakes().size(), 2U);
  }
}

TEST(SpecError, NamesOfAUserMakeNoLines) {
  Mistakes mistakes;
  mistakes.add({"a\nb", "unknown\x1b[2J key", "did you mean \r?", "x\ny.toml:1:1"});
  try {
    mistakes.throw_if_any();
    FAIL();
  } catch (const SpecError& error) {
    EXPECT_STREQ(error.what(), "x\\x0ay.toml:1:1: a\\x0ab: unknown\\x1b[2J key; did you mean \\x0d?");
  }
}

}  // namespace
}  // namespace headway
