// SPDX-License-Identifier: Apache-2.0
#include "headway/traffic/framing.h"

#include <gtest/gtest.h>

#include "headway/traffic/message_sizes.h"

namespace headway {
namespace {

TEST(Framing, CutsMessagesIntoFrames) {
  const Framing framing{.payload = 1000, .header = 58, .least = 64};
  EXPECT_EQ(framing.full_frame(), 1058U);
  EXPECT_EQ(framing.cut(1), (PacketsOfMessage{1, 1}));
  EXPECT_EQ(framing.cut(1000), (PacketsOfMessage{1, 1000}));
  EXPECT_EQ(framing.cut(1001), (PacketsOfMessage{2, 1}));
  EXPECT_EQ(framing.frames(1), 64U);
  EXPECT_EQ(framing.frames(6), 64U);
  EXPECT_EQ(framing.frames(7), 65U);
  EXPECT_EQ(framing.frames(2001), 2 * 1058U + 64U);
  EXPECT_EQ(framing.payload_of(framing.cut(2001)), 2001U);
}

TEST(Framing, WithoutHeadersFramesAreWhatTheyCarry) {
  const Framing framing{.payload = 64};
  EXPECT_TRUE(framing.is_bare());
  for (const std::uint64_t bytes : {1, 63, 64, 65, 1000}) EXPECT_EQ(framing.frames(bytes), bytes);
}

// The sum over all sizes, one by one.
TEST(Framing, MeanOfFramesIsExact) {
  const std::vector<SizeDistribution::Component> components = {
      {0.25, 1, 1}, {0.25, 3, 40}, {0.125, 7, 7}, {0.125, 8, 8}, {0.25, 5, 333}};
  const SizeDistribution sizes(components);
  for (const std::uint32_t payload : {1, 5, 8, 64})
    for (const std::uint32_t header : {0, 1, 6})
      for (const std::uint32_t least : {0U, 1U, header, (payload + header + 1) / 2, payload + header}) {
        const Framing framing{.payload = payload, .header = header, .least = least};
        double mean = 0;
        for (const auto& [share, first, last] : components) {
          double sum = 0;
          for (std::uint64_t bytes = first; bytes <= last; ++bytes)
            sum += static_cast<double>(framing.frames(bytes));
          mean += share * sum / static_cast<double>(last - first + 1);
        }
        EXPECT_NEAR(framing.mean_frames(sizes), mean, 1e-9) << payload << ' ' << header << ' ' << least;
      }
}

}  // namespace
}  // namespace headway
