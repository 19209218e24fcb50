// SPDX-License-Identifier: Apache-2.0
// Slips of the keyboard find their name; other words find none.
#include "headway/base/suggest.h"

#include <gtest/gtest.h>

namespace headway {
namespace {

TEST(Suggest, FindsTheNearestNameWithinReason) {
  static constexpr std::string_view kNames[] = {"queues", "queue_memory", "scheme", "arbiter",
                                                "k",      "voqnet",       "voqsw"};
  const struct {
    std::string_view typed, meant;
  } cases[] = {{"queus", "queues"},
               {"queeus", "queues"},
               {"QUEUES", "queues"},
               {"queue-memory", "queue_memory"},
               {"shceme", "scheme"},
               {"arbitre", "arbiter"},
               {"voq-net", "voqnet"},
               {"voqsv", "voqsw"},
               {"n", "k"},
               {"packet", ""},
               {"", "k"},
               {"memory", ""},
               {"completely wrong", ""}};
  for (const auto& [typed, meant] : cases) EXPECT_EQ(nearest(typed, kNames), meant) << typed;
}

}  // namespace
}  // namespace headway
