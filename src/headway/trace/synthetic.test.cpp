// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <map>

#include "headway/base/rng.h"
#include "headway/config/assign.h"
#include "headway/trace/byte_stream.h"
#include "headway/traces/summary.h"
#include "tests/support/trace_bytes.h"

namespace headway {
namespace {

std::vector<TraceRecord> synthetic(std::uint64_t seed, Arguments arguments = {}) {
  return test::all_of(*choose(trace_formats(), "synthetic", arguments)->open({.seed = seed}));
}

TEST(Synthetic, IsDecidedByItsSeed) {
  EXPECT_EQ(synthetic(3), synthetic(3));
  EXPECT_NE(synthetic(3), synthetic(4));
}

TEST(Synthetic, IsInOrderAndAsLongAsAsked) {
  const auto records = synthetic(1, {{"length", Duration{Rational(50'000'000)}}});
  ASSERT_GT(records.size(), 100U);
  for (std::size_t i = 1; i < records.size(); ++i) EXPECT_GE(records[i].time, records[i - 1].time);
  EXPECT_LT(records.back().time, 50 * kMillisecond);
}

// The disks have no request during many bursts. Opening the trace takes no longer than its length requires.
TEST(Synthetic, EndsWithoutRequestsAtATinyRate) {
  const Rate tiny{Rational(1, 1'000'000'000'000'000'000)};
  EXPECT_TRUE(synthetic(1, {{"rate", tiny}, {"length", Duration{Rational(20'000'000)}}}).empty());
}

// Bursts, pauses and flushes that are longer than the trace, or as short as possible.
TEST(Synthetic, EndsAtTheEndsOfItsRanges) {
  const Duration shortest{1}, longest{Rational(100'000'000'000'000)}, length{Rational(1'000'000)};
  for (const char* const key : {"on", "off", "flush_period"})
    for (const Duration& time : {shortest, longest}) {
      SCOPED_TRACE(key);
      const auto records = synthetic(1, {{key, time}, {"length", length}});
      for (const TraceRecord& record : records) {
        EXPECT_LT(record.time, kMillisecond);
        EXPECT_GE(record.response.value_or(0), 0);
      }
    }
  for (const TraceRecord& record : synthetic(1, {{"response", Duration{Rational(4'000'000'000'000'000)}}}))
    EXPECT_LE(record.response.value_or(0), kMostTraceTime);
}

// A disk that passes many bursts without a request can be interrupted, and looking at the beginning of the
// trace is short.
TEST(Synthetic, CanBeInterruptedBetweenRequests) {
  const Choice<TraceFormat> quiet = choose(trace_formats(), "synthetic",
                                           {{"rate", Rate{Rational(1, 1'000'000'000)}},
                                            {"on", Duration{1}},
                                            {"off", Duration{1}},
                                            {"length", Duration{Rational(4'000'000'000'000'000)}}});
  EXPECT_THROW(test::all_of(*quiet->open({.seed = 1, .most_bytes = 1 << 20})), EnoughRead);
  const std::atomic<bool> cancelled = true;
  EXPECT_THROW(test::all_of(*quiet->open({.seed = 1, .cancelled = &cancelled})), Cancelled);
}

// Long enough for stable averages, which Pareto bursts reach slowly.
TEST(Synthetic, KeepsRateMixSizesAndPopularity) {
  double bytes = 0, writes = 0;
  std::map<std::uint64_t, double> of_disk, of_size;
  const auto records = synthetic(1, {{"length", Duration{Rational(20'000'000'000)}}});
  for (const TraceRecord& record : records) {
    bytes += static_cast<double>(record.bytes);
    writes += record.operation == Operation::write ? 1 : 0;
    of_disk[record.to] += 1;
    of_size[record.bytes] += 1;
  }
  const auto count = static_cast<double>(records.size());
  const double rate = bytes / 20e9;  // bytes per ns
  EXPECT_NEAR(rate / 0.1, 1, 0.1);
  EXPECT_NEAR(writes / count, 0.57, 0.03);
  EXPECT_NEAR(of_size[8192] / count, 0.7, 0.01);
  EXPECT_NEAR(of_size[65536] / count, 0.1, 0.01);
  EXPECT_NEAR(of_disk[0] / of_disk[1], std::pow(2, 0.9), 0.4);
  EXPECT_EQ(of_disk.size(), 20U);
}

TEST(Synthetic, IsBurstyOnAllScales) {
  TraceWindow window;
  window.format =
      choose(trace_formats(), "synthetic", {{"length", Duration{Rational(2'000'000'000)}}}).shared();
  window.rules = {.nodes = 2, .hosts = {0}, .storage = {1}};
  const TraceSummary summary = summarise(window);
  EXPECT_GT(summary.dispersion(1), 3);
  EXPECT_GT(summary.dispersion(16), 1.5 * summary.dispersion(1));
}

TEST(TimeBins, DoubleTheirWidthWithoutLosingAnything) {
  TimeBins bins(2);
  for (TraceTime t = 0; t < 10'000; ++t) bins.add(t % 2, t * kMicrosecond, 3);
  std::uint64_t sum = 0;
  for (std::size_t bin = 0; bin < bins.used(); ++bin) sum += bins.at(0, bin) + bins.at(1, bin);
  EXPECT_EQ(sum, 30'000U);
  EXPECT_EQ(bins.width(), 32 * kMicrosecond);
  EXPECT_EQ(bins.used(), 313U);
  EXPECT_EQ(bins.at(0, 3), 48U);
}

TEST(TraceSummary, SpreadsAPoissonProcessEvenly) {
  Rng rng(1, 0);
  std::vector<TraceRecord> records;
  TraceTime time = 0;
  for (int i = 0; i < 200'000; ++i) {
    time += static_cast<TraceTime>(rng.exponential_q32() * 1000 >> 32) * kNanosecond;
    records.push_back({time, Operation::message, 0, 1, 64, {}, 0});
  }
  TraceWindow window;
  window.format = std::make_shared<test::ListedRecords>(records);
  window.rules.nodes = 2;
  const TraceSummary summary = summarise(window);
  EXPECT_NEAR(summary.dispersion(1), 1, 0.2);
  EXPECT_NEAR(summary.dispersion(8), 1, 0.5);
  EXPECT_EQ(summary.in[1], 200'000U * 64);
}

}  // namespace
}  // namespace headway
