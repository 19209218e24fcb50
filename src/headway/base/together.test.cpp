// SPDX-License-Identifier: Apache-2.0
#include "headway/base/together.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "headway/base/cancel_scope.h"
#include "headway/base/huge_vector.h"

namespace headway {
namespace {

TEST(Together, EveryCallIsMadeOnce) {
  for (const std::uint32_t threads : {1, 2, 7}) {
    const ThreadScope scope(threads);
    for (const std::uint32_t count : {0, 1, 5, 1000}) {
      std::vector<std::atomic<int>> calls(count);
      together(count, [&](std::uint32_t i) { ++calls[i]; });
      EXPECT_TRUE(std::ranges::all_of(calls, [](const auto& made) { return made == 1; }));
    }
  }
}

TEST(Together, RangesCoverEachNumberOnce) {
  for (const std::uint32_t threads : {1, 3}) {
    const ThreadScope scope(threads);
    for (const std::uint32_t count : {0U, 1U, 16'384U, 16'385U, 100'000U}) {
      std::vector<std::uint8_t> visits(count);
      together_in_ranges(count, [&](std::uint32_t first, std::uint32_t end) {
        for (std::uint32_t i = first; i < end; ++i) ++visits[i];
      });
      EXPECT_EQ(std::ranges::count(visits, 1), count);
    }
  }
}

TEST(Together, OnlyThreadsOfTheScopeWork) {
  const auto threads_of = [](std::uint32_t count) {
    std::vector<std::thread::id> threads(count);
    together(count, [&](std::uint32_t i) { threads[i] = std::this_thread::get_id(); });
    std::ranges::sort(threads);
    threads.erase(std::unique(threads.begin(), threads.end()), threads.end());
    return threads;
  };
  EXPECT_EQ(threads_of(50), std::vector{std::this_thread::get_id()});
  {
    const ThreadScope scope(3);
    EXPECT_LE(threads_of(50).size(), 3);
    std::atomic<std::uint32_t> of_callee = 0;
    together(3,
             [&](std::uint32_t) { of_callee = std::max(of_callee.load(), ThreadScope::current().threads); });
    EXPECT_LE(of_callee, 3);
  }
  EXPECT_EQ(threads_of(50), std::vector{std::this_thread::get_id()});
}

TEST(Together, TheFirstFailureIsThrown) {
  for (const std::uint32_t threads : {1, 4}) {
    const ThreadScope scope(threads);
    std::atomic<std::uint32_t> calls = 0;
    const auto fail = [&](std::uint32_t i) {
      ++calls;
      throw std::runtime_error(std::to_string(i));
    };
    try {
      together(1000, fail);
      ADD_FAILURE() << "nothing is thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "0");
    }
    EXPECT_LE(calls, threads);
  }
}

TEST(Together, TheFlagOfTheCallerCancels) {
  const std::atomic<bool> cancelled = true;
  const CancelScope cancel(&cancelled);
  const ThreadScope scope(4);
  EXPECT_THROW(together(100, [](std::uint32_t) { poll_cancel(); }), Cancelled);
}

TEST(Together, LargeVectorsAreTheSame) {
  const ThreadScope scope(4);
  HugeVector<std::uint32_t> vector((40 << 20) / sizeof(std::uint32_t), 7);
  vector.push_back(8);
  EXPECT_EQ(std::ranges::count(vector, 7U) + 1, static_cast<std::ptrdiff_t>(vector.size()));
  EXPECT_EQ(vector.back(), 8);
}

}  // namespace
}  // namespace headway
