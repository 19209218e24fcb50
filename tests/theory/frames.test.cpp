// SPDX-License-Identifier: Apache-2.0
// Headers and padding take time on links and room in memories; goodput leaves them out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "headway/compile/load.h"
#include "headway/config/toml.h"
#include "headway/run/run.h"
#include "tests/support/columns.h"

namespace headway {
namespace {

Result result_of_text(const std::string& text) {
  return run(load_experiment(parse_toml(text, "test"), {}).points.front().spec());
}

constexpr const char* kSwitch = R"(network = { topology = "single-switch", nodes = 8 }
switch = { queue_memory = "64 KiB" }
measure = { warmup = "20 us", duration = "200 us" }
)";

TEST(Frames, GoodputIsThePartThatMessagesHave) {
  // messages of three packets, the last of which is padded: 2 * 1058 + 64 bytes for 2002
  const Result result = result_of_text(std::string(kSwitch) + R"([traffic]
packet = "1000 B"
header = "58 B"
minimum_frame = "64 B"
[[traffic.flow]]
pattern = "complement"
arrivals = "periodic"
message = "2002 B"
load = 0.8
)");
  EXPECT_NEAR(result.metric("offered_load"), 0.8, 0.01);
  EXPECT_NEAR(result.metric("accepted_load"), 0.8, 0.01);
  EXPECT_NEAR(result.metric("goodput"), 0.8 * 2002 / (2 * 1058 + 64), 0.01);
}

// A frame of a message of one byte takes as long as any that is as short.
TEST(Frames, ShortMessagesAreAsSlowAsTheirFrames) {
  const auto latency = [](const std::string& message, const std::string& frames) {
    return result_of_text(std::string(kSwitch) + "[traffic]\npacket = \"1000 B\"\n" + frames +
                          "[[traffic.flow]]\npattern = \"complement\"\narrivals = \"periodic\"\nload = "
                          "0.01\nmessage = \"" +
                          message + "\"\n")
        .metric("latency_mean_ns");
  };
  const std::string ethernet = "header = \"58 B\"\nminimum_frame = \"64 B\"\n";
  EXPECT_EQ(latency("1 B", ethernet), latency("64 B", ""));
  EXPECT_EQ(latency("6 B", ethernet), latency("64 B", ""));
  EXPECT_EQ(latency("100 B", ethernet), latency("158 B", ""));
  EXPECT_EQ(latency("1 B", ethernet), latency("1 B", "") + 63);  // at 1 B/ns, cut through
}

// Ranks count bytes of messages; links carry frames.
TEST(Frames, JobsTakeTheTimeOfFrames) {
  const auto job = [](const std::string& packet, const std::string& header, const std::string& size) {
    return result_of_text(
        "network = { topology = \"single-switch\", nodes = 2 }\nmeasure = { limit = \"1 s\" }\n"
        "switch = { queue_memory = \"64 KiB\" }\n[traffic]\npacket = \"" +
        packet + "\"\n" + header + "[[traffic.job]]\nprogram = \"ping-pong\"\nsize = \"" + size + "\"\n");
  };
  const Result framed = job("1000 B", "header = \"24 B\"\n", "1000000 B"),
               bare = job("1024 B", "", "1024000 B");
  EXPECT_EQ(framed.metric("makespan_ns"), bare.metric("makespan_ns"));
  EXPECT_EQ(test::column(framed.table("per_job"), "message_bytes"), std::vector<double>{2'000'000});
}

// PFC counts what packets are long, so packets of a byte would need headroom for each.
TEST(Frames, FlowsOfOneByteRunWithPauses) {
  const Result result = result_of_text(
      R"(network = { topology = "k-ary-n-tree", k = 4, n = 2, link = { rate = "12.5 GB/s", delay = "500 ns" } }
switch = { flow_control = "pfc", input_memory = "256 KiB" }
measure = { warmup = "20 us", duration = "100 us" }
[traffic]
packet = "1000 B"
header = "58 B"
minimum_frame = "64 B"
[[traffic.flow]]
sizes = "bimodal"
smallest = "1 B"
largest = "10 kB"
load = 0.3
)");
  EXPECT_EQ(result.status, Status::ok) << result.detail;
  EXPECT_NEAR(result.metric("accepted_load"), 0.3, 0.05);
}

}  // namespace
}  // namespace headway
