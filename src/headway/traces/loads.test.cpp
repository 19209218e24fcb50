// SPDX-License-Identifier: Apache-2.0
// The loads of a small trace and its page, worked out by hand.
#include "headway/traces/loads.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headway/traces/summary_page.h"
#include "tests/support/trace_bytes.h"

namespace headway {
namespace {

using testing::HasSubstr;

const Rate kByteAndNanosecond{Rational(1)};

// 1150 bytes in 2 us, in bins of 1 us: node 1 receives 800 bytes in the first bin and 100 in the third.
TraceSummary three_nodes() {
  TraceWindow window;
  window.format = std::make_shared<test::ListedRecords>(
      std::vector<TraceRecord>{{0, Operation::message, 0, 1, 500, {}, 0},
                               {0, Operation::message, 2, 1, 300, {}, 0},
                               {kMicrosecond, Operation::message, 1, 2, 250, {}, 0},
                               {2 * kMicrosecond, Operation::message, 0, 1, 100, {}, 0}});
  window.rules.nodes = 3;
  return summarise(window);
}

TEST(TraceLoads, AreFractionsOfTheLinkRate) {
  const TraceSummary summary = three_nodes();
  const TraceLoads loads(summary, kByteAndNanosecond);
  const LoadedLink hottest = links_by_bytes(summary).front();
  EXPECT_DOUBLE_EQ(loads.mean(), 1150.0 / 2000 / 3);
  EXPECT_DOUBLE_EQ(loads.of(hottest.bytes), 0.45);
  EXPECT_DOUBLE_EQ(loads.in_bin(hottest, 0), 0.8);
  EXPECT_DOUBLE_EQ(loads.in_bin(hottest, 1), 0);
  EXPECT_DOUBLE_EQ(loads.in_bin(hottest, 2), 0.1);
  EXPECT_DOUBLE_EQ(loads.peak(hottest), 0.8);
  EXPECT_DOUBLE_EQ(loads.peak({0, false, 600}), 0.5);
  EXPECT_DOUBLE_EQ(loads.mean_in_bin(0), 0.8 / 3);
  EXPECT_DOUBLE_EQ(TraceLoads(summary, Rate{Rational(2)}).peak(hottest), 0.4);
}

TEST(TraceLoads, RankTheLinks) {
  std::string ranks;
  for (const LoadedLink& link : links_by_bytes(three_nodes()))
    ranks += fmt::format("{}{} {}, ", link.node, link.into ? "in" : "out", link.bytes);
  EXPECT_EQ(ranks, "1in 900, 0out 600, 2out 300, 1out 250, 2in 250, 0in 0, ");
}

TEST(TraceLoads, AreOnThePageOfTheSummary) {
  const std::string page = summary_page(three_nodes(), kByteAndNanosecond, "csv");
  for (const std::string& part :
       {std::string("format        csv\n"), std::string("window        2 us\n"),
        std::string("messages      4, 1150 bytes\n"), std::string("load on 3 nodes with links of 1 GB/s"),
        fmt::format("  {:>12}  {:>10}  {:>22}  {:>22}\n", "20", "3.83", "9", "16"),
        std::string("a mean load of 0.3 needs a compression of 1.565; on the busiest link, 0.6667\n"),
        fmt::format("  {:>6}  {:>4}  {:>16}  {:>7}%\n", "1", "in", "900", "78.26")})
    EXPECT_THAT(page, HasSubstr(part));
}

TEST(TraceLoads, TimesHaveTheirUnit) {
  EXPECT_EQ(trace_time_text(1'500), "1.5 ns");
  EXPECT_EQ(trace_time_text(2 * kMicrosecond), "2 us");
  EXPECT_EQ(trace_time_text(kSecond / 4), "250 ms");
  EXPECT_EQ(trace_time_text(90 * kSecond), "90 s");
}

}  // namespace
}  // namespace headway
