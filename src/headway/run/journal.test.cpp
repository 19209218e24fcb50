// SPDX-License-Identifier: Apache-2.0
#include "headway/run/journal.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <map>
#include <system_error>
#include <thread>
#include <vector>

#include "headway/base/hash.h"
#include "headway/base/input_file.h"
#include "headway/run/results.h"

namespace headway {
namespace {

Result with_latency(double latency) {
  Result result;
  result.metrics = {{"latency_mean_ns", latency}};
  return result;
}

class JournalTest : public ::testing::Test {
 protected:
  ~JournalTest() override { std::filesystem::remove(path_); }

  void write(const std::string& text) const { std::ofstream(path_, std::ios::binary) << text; }

  struct Read {
    std::map<std::uint64_t, double> latency_of;  // by key
    std::size_t damaged = 0;
    std::vector<std::string> notes = {};
  };
  Read read() const {
    Read read;
    std::size_t no_results = 0;
    const auto on_run = [&](std::uint64_t key, std::string_view text, std::string_view) {
      try {
        read.latency_of[key] = read_result(text).metric("latency_mean_ns");
      } catch (const NoResult&) {
        ++no_results;
      }
    };
    const auto on_note = [&](std::string_view note) { read.notes.emplace_back(note); };
    read.damaged = read_journal(path_, {on_run, on_note}) + no_results;
    return read;
  }
  Journal journal() const { return Journal(path_); }
  void add(std::uint64_t key, double latency) const { journal().add(key, with_latency(latency)); }

  std::string path_ = ::testing::TempDir() + "journal" + std::to_string(getpid());
};

using StoredLatencies = std::map<std::uint64_t, double>;

TEST_F(JournalTest, GivesBackWhatWasAddedAndTheLastOfAKey) {
  add(7, 1);
  add(UINT64_MAX, 2);
  add(7, 3);
  EXPECT_EQ(read().latency_of, (StoredLatencies{{7, 3}, {UINT64_MAX, 2}}));
  EXPECT_EQ(read().damaged, 0U);
}

TEST_F(JournalTest, GivesBackNotesAndWholeLines) {
  {
    Journal journal = this->journal();
    journal.add_note(R"({"end":"a \"word\""})");
    journal.add(7, with_latency(1));
  }
  EXPECT_EQ(read().notes, std::vector<std::string>{R"({"end":"a \"word\""})"});
  std::string copied;
  read_journal(path_, {[&](std::uint64_t, std::string_view, std::string_view line) { copied = line; }});
  std::filesystem::remove(path_);
  journal().add_line(copied);
  EXPECT_EQ(read().latency_of, (StoredLatencies{{7, 1}}));
}

// A line with a damaged byte is rejected, valid JSON or not; the other line is kept.
TEST_F(JournalTest, ADamagedLineIsNeverBelieved) {
  add(1, 10);
  add(2, 20);
  const std::string sound = read_text(path_);
  const std::size_t end = sound.find('\n');
  for (std::size_t byte = 0; byte < sound.size(); ++byte)
    for (const char wrong : {'9', '"', '\n'}) {
      if (sound[byte] == wrong) continue;
      std::string text = sound;
      text[byte] = wrong;
      write(text);
      StoredLatencies left{{1, 10}, {2, 20}};
      if (byte <= end) left.erase(1);
      if (byte >= end) left.erase(2);
      const Read now = read();
      EXPECT_EQ(now.latency_of, left) << byte << " became " << static_cast<int>(wrong);
      EXPECT_GT(now.damaged, 0U);
    }
}

// The disk is told later; a killed process loses nothing.
TEST_F(JournalTest, ALineIsInTheFileAsSoonAsItIsAdded) {
  const pid_t child = ::fork();
  if (child == 0) {
    Journal journal = this->journal();
    for (const std::uint64_t key : {1U, 2U, 3U}) journal.add(key, with_latency(static_cast<double>(key)));
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(read().latency_of, (StoredLatencies{{1, 1}, {2, 2}, {3, 3}}));
  EXPECT_EQ(read().damaged, 0U);
}

TEST_F(JournalTest, TheDiskIsToldAtMostOnceASecondAndOnlyOfNewLines) {
  Journal journal = this->journal();
  const auto start = Journal::Clock::time_point(std::chrono::hours(1));
  const auto after = [&](int milliseconds) { return start + std::chrono::milliseconds(milliseconds); };
  EXPECT_FALSE(journal.sync_if_due(start));
  journal.add(1, with_latency(1));
  EXPECT_TRUE(journal.sync_if_due(start));
  EXPECT_FALSE(journal.sync_if_due(after(5000)));
  journal.add(2, with_latency(2));
  EXPECT_TRUE(journal.sync_if_due(after(5000)));
  journal.add(3, with_latency(3));
  EXPECT_FALSE(journal.sync_if_due(after(5100)));
  EXPECT_TRUE(journal.sync_if_due(after(5900)));  // at most 0.9 s after a line, with 0.1 s between two calls
  journal.add(4, with_latency(4));
  EXPECT_TRUE(journal.sync());
  EXPECT_FALSE(journal.sync());
}

TEST_F(JournalTest, TakesLinesFromSeveralThreads) {
  constexpr std::uint64_t kThreads = 4, kLines = 50;
  {
    Journal journal = this->journal();
    std::vector<std::jthread> threads;
    for (std::uint64_t thread = 0; thread < kThreads; ++thread)
      threads.emplace_back([&journal, thread] {
        for (std::uint64_t line = 0; line < kLines; ++line)
          journal.add(thread * kLines + line, with_latency(static_cast<double>(line)));
      });
  }
  EXPECT_EQ(read().latency_of.size(), kThreads * kLines);
  EXPECT_EQ(read().damaged, 0U);
}

// As an earlier version wrote it, which gave some numbers a digit too many.
TEST_F(JournalTest, ALineOfAnEarlierVersionIsRead) {
  const std::string said =
      R"("key": "0000000000000007", "result": {"status":"ok","metrics":{"latency_mean_ns":0.39905357921110157,)"
      R"("accepted_load":1e-05,"packets_generated":1e+15},"series":{"time_ns":[50.0,null]},"cpu_s":0.5,)"
      R"("trace_hash":"00000000000000ff"}})";
  write(fmt::format("{{\"sum\": \"{:016x}\", {}\n", hash_of(said), said));
  EXPECT_EQ(read().latency_of, (StoredLatencies{{7, 0.39905357921110157}}));
}

TEST_F(JournalTest, ATornLineIsNone) {
  add(1, 10);
  const std::string sound = read_text(path_);
  for (std::size_t size = 1; size + 1 < sound.size(); ++size) {
    write(sound.substr(0, size));
    EXPECT_TRUE(read().latency_of.empty()) << size;
    add(2, 20);  // must not continue the torn line
    EXPECT_EQ(read().latency_of, (StoredLatencies{{2, 20}})) << size;
  }
}

// Lines with a valid sum but no valid result, as another program could write them.
TEST_F(JournalTest, WhatIsNoResultIsNone) {
  add(1, 1);
  const std::string sound = read_text(path_);
  const std::size_t at = sound.find("\"key\"");
  const std::string latency = "\"latency_mean_ns\":1.0";
  for (const auto& [from, to] : std::initializer_list<std::pair<std::string, std::string>>{
           {"\"ok\"", "\"fine\""},
           {"\"ok\"", "1"},
           {latency, "\"latency_mean_ns\":\"1.0\""},
           {latency, "\"latency_mean_ns\":true"},
           {latency, "\"latency_mean_ns\":1e999"},
           {latency, "\"latency_mean_ms\":1.0"},
           {latency, latency + "},\"series\":{\"a\":[1],\"b\":[]"},
           {latency, latency + "},\"series\":{\"a\":[],\"b\":[1]"},
           {latency, latency + "},\"series\":{\"a\":[[]]"},
           {latency, latency + "},\"series\":{\"a\":1"},
           {latency, latency + "},\"serious\":{\"a\":[1]"},
           {"{" + latency + "}", "[1.0]"},
           {"{" + latency + "}", "7"},
           {"\"cpu_s\"", "\"cpu\""},
           {"\"trace_hash\":\"0", "\"trace_hash\":\"x"},
           {"\"trace_hash\":\"0", "\"trace_hash\":\""},
           {"\"key\": \"0", "\"key\": \"x"},
           {"}}", "}}}"}}) {
    std::string text = sound.substr(at, sound.size() - at - 1);
    const std::size_t place = text.find(from);
    ASSERT_NE(place, std::string::npos) << from;
    text.replace(place, from.size(), to);
    write(fmt::format("{{\"sum\": \"{:016x}\", {}\n", hash_of(text), text));
    EXPECT_TRUE(read().latency_of.empty()) << to;
    EXPECT_EQ(read().damaged, 1U) << to;
  }
}

TEST_F(JournalTest, ResultsOfEveryStatusAreRead) {
  Result result = with_latency(1);
  for (std::uint64_t status = 0; status < std::size(kNames<Status>); ++status) {
    result.status = static_cast<Status>(status);
    journal().add(status, result);
    EXPECT_TRUE(read().latency_of.contains(status)) << name_of(result.status);
  }
}

}  // namespace
}  // namespace headway
