// SPDX-License-Identifier: Apache-2.0
// From records to messages in order: which messages, when, and how little of the trace is in memory.
#include "headway/trace/replay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "headway/base/rng.h"
#include "headway/config/limits.h"
#include "headway/trace/byte_stream.h"
#include "tests/support/sanitizer.h"
#include "tests/support/trace_bytes.h"

namespace headway {
namespace {

using testing::ElementsAre;

constexpr TraceTime us(std::int64_t count) { return count * kMicrosecond; }

TraceWindow window_over(std::vector<TraceRecord> records) {
  TraceWindow window;
  window.format = std::make_shared<test::ListedRecords>(std::move(records));
  window.rules = {.nodes = 8, .hosts = {0, 1, 2, 3}, .storage = {6, 7}, .service = us(9)};
  return window;
}

std::vector<PlacedMessage> messages_of(const TraceWindow& window) {
  TracePass pass(window);
  std::vector<PlacedMessage> messages;
  while (const auto message = pass.next()) messages.push_back(*message);
  return messages;
}

TraceRecord message(TraceTime time, std::uint64_t from, std::uint64_t to, std::uint64_t bytes) {
  return {time, Operation::message, from, to, bytes, {}, 0};
}

TEST(TracePass, ReadsAndWritesBecomeTheirMessages) {
  TraceWindow window = window_over({{0, Operation::read, 5, 40, 8192, us(4), 0},
                                    {us(1), Operation::write, 5, 41, 4096, us(2), 0},
                                    {us(2), Operation::read, 5, 40, 512, {}, 0}});
  window.rules.processes = EndpointRules::Spread::in_turn;
  window.rules.acknowledgement = 16;
  EXPECT_THAT(messages_of(window),
              ElementsAre(PlacedMessage{0, 0, 6, 32}, PlacedMessage{us(1), 0, 7, 4096},
                          PlacedMessage{us(2), 0, 6, 32}, PlacedMessage{us(3), 7, 0, 16},
                          PlacedMessage{us(4), 6, 0, 8192}, PlacedMessage{us(11), 6, 0, 512}));
}

TEST(TracePass, DevicesTakeStorageInTurnAndProcessesKeepTheirHost) {
  std::vector<TraceRecord> records;
  for (std::uint64_t i = 0; i < 100; ++i)
    records.push_back({us(static_cast<std::int64_t>(i)), Operation::write, i % 10, 1000 + i % 5, 1, 0, 0});
  const auto messages = messages_of(window_over(records));
  ASSERT_EQ(messages.size(), 100U);
  for (std::size_t i = 0; i < 100; ++i) {
    EXPECT_EQ(messages[i].destination, i % 5 % 2 == 0 ? 6U : 7U);
    EXPECT_EQ(messages[i].source, messages[i % 10].source);
  }
}

TEST(TracePass, RequestsOfUnknownProcessesAreSpreadOverAllHosts) {
  std::vector<TraceRecord> records(4000, {0, Operation::write, {}, 0, 1, 0, 0});
  std::vector<int> from(8);
  for (const PlacedMessage& message : messages_of(window_over(records))) ++from[message.source];
  for (NodeId host = 0; host < 4; ++host) EXPECT_NEAR(from[host], 1000, 150);
}

TEST(TracePass, AWindowHoldsTheRecordsThatBeginInItAndAllTheirMessages) {
  TraceWindow window = window_over({{0, Operation::read, 0, 0, 1, us(100), 0},
                                    {us(10), Operation::read, 0, 0, 2, us(100), 0},
                                    {us(20), Operation::read, 0, 0, 3, us(100), 0}});
  window.begin = us(10);
  window.end = us(20);
  const auto messages = messages_of(window);
  ASSERT_EQ(messages.size(), 2U);
  EXPECT_EQ(messages[1], (PlacedMessage{us(110), 6, messages[0].source, 2}));
}

TEST(TracePass, LateRecordsAreRefusedOrPutInTheirPlace) {
  TraceWindow window = window_over({message(us(5), 0, 1, 1), message(us(7), 0, 1, 2), message(us(6), 0, 1, 3),
                                    message(us(7), 0, 1, 4), message(us(4), 0, 1, 5)});
  EXPECT_THROW(messages_of(window), TraceError);
  window.skip_bad = true;
  EXPECT_EQ(messages_of(window).size(), 3U);
  window.skip_bad = false;
  window.reorder = us(3);
  std::vector<std::uint64_t> order;
  for (const PlacedMessage& each : messages_of(window)) order.push_back(each.bytes);
  EXPECT_THAT(order, ElementsAre(5, 1, 3, 2, 4));
}

TEST(TracePass, NodesThatDoNotExistAreRefusedOrWrapped) {
  TraceWindow window = window_over({message(0, 9, 1, 1)});
  EXPECT_THROW(messages_of(window), TraceError);
  window.rules.wrap_nodes = true;
  EXPECT_THAT(messages_of(window), ElementsAre(PlacedMessage{0, 1, 1, 1}));
}

TEST(TracePass, RandomTracesComeInOrderAndWhole) {
  for (std::uint64_t number = 0; number < 200; ++number) {
    Rng rng(number, 7);
    std::vector<TraceRecord> records;
    std::uint64_t bytes = 0;
    for (std::uint32_t i = rng.below(60); i > 0; --i) {
      const auto time = static_cast<TraceTime>(1000 + 10 * i) - rng.below(50);
      records.push_back(rng.below(2) == 0 ? message(-time, rng.below(8), rng.below(8), 1 + rng.below(9))
                                          : TraceRecord{-time, Operation::write, {}, rng.below(9), 3, {}, 0});
      bytes += records.back().bytes;
    }
    TraceWindow window = window_over(records);
    window.reorder = 100;
    TraceTime last = INT64_MIN;
    for (const PlacedMessage& each : messages_of(window)) {
      EXPECT_GE(each.time, last);
      last = each.time;
      bytes -= each.bytes;
    }
    EXPECT_EQ(bytes, 0U);
  }
}

TEST(TraceClock, RoundsDownToTicksOfCompressedTime) {
  const TraceClock clock(us(2), Rational(20), Duration{Rational(1, 3)}, 7);
  EXPECT_EQ(clock.at(us(2)), 7);
  EXPECT_EQ(clock.at(us(2) + 19), 7);           // 0.95 ps
  EXPECT_EQ(clock.at(us(2) + us(1)), 7 + 150);  // 50 ns
  EXPECT_EQ(clock.at(us(2) + us(1) - 1), 7 + 149);
  EXPECT_EQ(clock.at(us(1)), 7);  // late, and before the window
  EXPECT_EQ(TraceClock(0, Rational(1, 10'000), Duration{Rational(1, 1000)}, 0).at(INT64_MAX),
            limits::kTickAfterRuns);
}

// A file of any length that is generated while it is read.
class EndlessCsv : public ByteSource {
 public:
  explicit EndlessCsv(std::uint64_t lines) : lines_(lines) {}
  std::size_t read(std::span<char> into) override {
    while (text_.size() < into.size() && next_ < lines_) {
      text_ += std::to_string(next_) + ",1,2,read,8192,100\n";
      ++next_;
    }
    const std::size_t count = text_.copy(into.data(), into.size());
    text_.erase(0, count);
    given_ += count;
    return count;
  }
  std::uint64_t given() const { return given_; }

 private:
  std::string text_ = "time_us,process,device,operation,bytes,response_us\n";
  std::uint64_t next_ = 0, lines_, given_ = 0;
};

class EndlessFormat : public TraceFormat {
 public:
  explicit EndlessFormat(std::uint64_t lines) : lines_(lines) {}
  std::unique_ptr<TraceReader> open(const TraceOpening& how) const override {
    return test::file_format("csv")->read(std::make_unique<EndlessCsv>(lines_), "endless", how.skip_bad);
  }

 private:
  std::uint64_t lines_;
};

TEST(TracePass, MemoryDoesNotGrowWithTheTrace) {
  if (test::kAddressSanitizer) GTEST_SKIP() << "the address sanitizer keeps what is freed";
  const auto most_memory = [] {  // KiB so far
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
  };
  constexpr std::uint64_t kLines = 2'000'000;  // 50 MB of text
  TraceWindow window = window_over({});
  window.format = std::make_shared<EndlessFormat>(kLines);
  const auto before = most_memory();
  TracePass pass(window);
  std::uint64_t messages = 0;
  while (pass.next()) ++messages;
  EXPECT_EQ(messages, 2 * kLines);
  EXPECT_LT(most_memory() - before, 8 * 1024);
}

}  // namespace
}  // namespace headway
