// SPDX-License-Identifier: Apache-2.0
// Notifications that travel as packets, where the result is known: in an otherwise empty lane they take as
// long as packets at zero load, so that a reaction does the same as with this delay; in a lane that they
// share by strict priority, data does not delay them by more than a packet per hop.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "headway/config/toml.h"
#include "headway/metrics/tables.h"
#include "headway/run/run.h"
#include "headway/spec/read_spec.h"
#include "tests/support/columns.h"

namespace headway {
namespace {

// Four nodes send to a fifth over one switch: 1 GB/s, 10 ns. A notification of 64 B takes 64 + 20 ns. What
// is in the long injection queues follows at full rate, so there are many notifications.
EventSpec spec_with(const std::string& node) {
  const std::string text =
      fmt::format(R"(
[network]
topology = "single-switch"
nodes = 5
link = {{ rate = "1 GB/s", delay = "10 ns" }}
[switch]
scheme = "voqsw"
input_memory = "80 KiB"
lanes = 2
lane_turns = "strict"
marking = "red"
k_min = "1 KiB"
k_max = "8 KiB"
p_max = 0.2
[[class]]
name = "first"
service_levels = [1]
[[class]]
name = "data"
service_levels = [0]
[node]
injection_memory = "80 KiB"
reaction = "dcqcn"
rate_timer = "2 us"
alpha_timer = "2 us"
notification_interval = "2 us"
{}
[traffic]
packet = "512 B"
[[traffic.flow]]
name = "hot"
sources = {{ first = 4 }}
pattern = "hotspot"
destination = 4
arrivals = "saturated"
[[traffic.flow]]
name = "other"
sources = {{ nodes = [4] }}
pattern = "uniform"
load = 0.01
{}
[measure]
warmup = "20 us"
duration = "400 us"
)",
                  node, node.find("packet") == std::string::npos ? "service_level = 1" : "");
  Mistakes mistakes;
  EventSpec spec = std::get<EventSpec>(read_spec(parse_toml(text, "x"), mistakes).spec);
  mistakes.throw_if_any();
  return spec;
}

Result result_of(const std::string& node) {
  RunOptions options;
  options.check = true;
  return run(spec_with(node), options);
}

const char* const kTravels = "notification_packet = \"64 B\"\nnotification_service_level = 1";

TEST(Notifications, TakeTheTimeOfAnEmptyLane) {
  const Result travelling = result_of(kTravels);
  const Table& flows = travelling.table("per_flow");
  ASSERT_EQ(word_at(flows, "flow", 2), "notifications");
  EXPECT_GT(number_at(flows, "packets_delivered", 2), 50);
  // its own adapter can be busy with data for 512 ns, and so can the last link; nodes send little
  EXPECT_GE(number_at(flows, "latency_p50_ns", 2), 84 * 0.99);
  EXPECT_LT(number_at(flows, "latency_p50_ns", 2), 84 * 1.02);
  EXPECT_NEAR(travelling.metric("notifications"), number_at(flows, "packets_delivered", 2), 2);
}

TEST(Notifications, OfPacketsAndOfADelayDoTheSame) {
  const Result travelling = result_of(kTravels), delayed = result_of("notification_delay = \"84 ns\"");
  EXPECT_NEAR(travelling.metric("notifications") / delayed.metric("notifications"), 1, 0.05);
  EXPECT_NEAR(travelling.metric("hot.accepted_load") / delayed.metric("hot.accepted_load"), 1, 0.02);
}

// The metrics of a run are those of its data: notifications are a flow of their own.
TEST(Notifications, DoNotCountAsTraffic) {
  const Result result = result_of(kTravels);
  const double data = result.metric("hot.packets_delivered") + result.metric("other.packets_delivered");
  EXPECT_EQ(result.metric("packets_delivered"), data);
  EXPECT_GT(result.metric("notifications.packets_delivered"), 0);
}

}  // namespace
}  // namespace headway
