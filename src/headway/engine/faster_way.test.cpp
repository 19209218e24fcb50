// SPDX-License-Identifier: Apache-2.0
#include "headway/engine/faster_way.h"

#include <gtest/gtest.h>

namespace headway {
namespace {

// The time of a run of this many windows by the chosen ways, if a window takes these times.
double time_of_run(FasterWay& way, std::int64_t windows, double together, double alone) {
  double time = 0;
  while (windows > 0) {
    const FasterWay::Piece piece = way.next();
    const double per_tick = piece.together ? together : alone;
    time += per_tick * static_cast<double>(piece.windows);
    windows -= piece.windows;
    way.took(per_tick, false);
  }
  return time;
}

constexpr std::int64_t kWindows = 200'000;

TEST(FasterWay, KeepsTheFaster) {
  for (const double together : {0.1, 0.5, 0.9, 1.3, 2.5}) {
    FasterWay way;
    const double best = std::min(together, 1.0) * kWindows;
    const double time = time_of_run(way, kWindows, together, 1);
    EXPECT_GT(time, 0.99 * best) << together;
    EXPECT_LT(time, 1.06 * best) << together;
  }
}

TEST(FasterWay, FollowsTheMachine) {
  FasterWay way;
  time_of_run(way, kWindows, 0.5, 1);
  // Threads lose their processors. A run that learns it only by trials would go on for some time.
  for (int pieces = 0; pieces < 4; ++pieces) way.took(way.next().together ? 3 : 1, way.next().together);
  EXPECT_LT(time_of_run(way, kWindows, 3, 1), 1.1 * kWindows);
  EXPECT_LT(time_of_run(way, 3 * kWindows, 0.5, 1), 0.7 * 3 * kWindows);
}

}  // namespace
}  // namespace headway
