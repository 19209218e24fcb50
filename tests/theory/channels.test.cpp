// SPDX-License-Identifier: Apache-2.0
// Virtual channels of one queue reduce head-of-line blocking, whatever their depth (Dally, "Virtual-channel
// flow control", IEEE TPDS 3(2), 1992): with more of them a switch saturates later, and deeper ones are no
// worse.
#include <gtest/gtest.h>

#include "headway/config/assign.h"
#include "headway/run/run.h"
#include "headway/run/saturation.h"

namespace headway {
namespace {

// A switch with 16 ports, with the default choice of the channel.
EventSpec one_switch(std::int64_t channels, std::int64_t bytes) {
  EventSpec spec;
  spec.network.topology = choose(topologies(), "single-switch", {{"nodes", 16}});
  spec.switches.virtual_channels = channels;
  spec.switches.queue_memory = Bytes{bytes};
  spec.measure.warmup = Duration{20'000};
  spec.measure.duration = Duration{60'000};
  return spec;
}

double saturation(std::int64_t channels, std::int64_t bytes) {
  return find_saturation(Spec(one_switch(channels, bytes)), {}).metric("saturation_load");
}

double latency(std::int64_t channels, std::int64_t bytes) {
  EventSpec spec = one_switch(channels, bytes);
  spec.traffic.flows[0].load.points[0].load = 0.55;
  return run(Spec(spec)).metric("latency_mean_ns");
}

TEST(Channels, MoreOfThemSaturateLaterAndDeeperOnesNoEarlier) {
  double with_fewer = saturation(1, 512);
  for (const std::int64_t channels : {2, 4, 8}) {
    const double shallow = saturation(channels, 128), deep = saturation(channels, 512);
    EXPECT_GT(deep, with_fewer + 0.015) << channels << " channels";
    EXPECT_GT(deep, shallow - 0.015) << channels << " channels";
    with_fewer = deep;
  }
}

TEST(Channels, DeepOnesShortenTheLatency) {
  const double of_one = latency(1, 512);
  for (const std::int64_t bytes : {128, 512, 2048}) {
    EXPECT_LT(latency(2, bytes), 0.6 * of_one) << bytes << " B";
    EXPECT_LT(latency(4, bytes), 0.9 * latency(2, bytes)) << bytes << " B";
  }
}

}  // namespace
}  // namespace headway
