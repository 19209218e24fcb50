// SPDX-License-Identifier: Apache-2.0
#include "headway/run/shard_journals.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <fstream>
#include <map>
#include <system_error>
#include <thread>
#include <vector>

#include "headway/base/error.h"
#include "headway/base/open_file.h"
#include "headway/run/journal.h"
#include "headway/run/results.h"

namespace headway {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class ShardJournalsTest : public ::testing::Test {
 protected:
  static constexpr std::uint64_t kThis = 1, kAnother = 2;  // experiments

  ShardJournalsTest() { fs::create_directories(path_); }
  ~ShardJournalsTest() override { fs::remove_all(path_); }

  OpenJournal shard(std::uint64_t number, std::uint64_t of, std::uint64_t experiment = kThis) const {
    return open_for_shard(path_, {number, of}, experiment, [] {});
  }
  OpenJournal whole() const { return open_for_whole(path_); }

  static Result result_of(double latency, double cpu_s = 0) {
    Result result;
    result.metrics = {{"latency_mean_ns", latency}};
    result.cpu_s = cpu_s;
    return result;
  }

  // Why it cannot be opened; empty if it can.
  template <class Open>
  static std::string refusal(const Open& open) {
    try {
      open();
      return "";
    } catch (const std::system_error& error) {
      EXPECT_EQ(error.code().value(), EBUSY);
      return error.what();
    }
  }

  // Runs in another process. Returns its exit code.
  template <class Body>
  static int in_child(const Body& body) {
    const pid_t child = ::fork();
    if (child == 0) {
      try {
        ::_exit(body());
      } catch (...) {
        ::_exit(99);
      }
    }
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  using Latencies = std::map<std::uint64_t, double>;  // by key
  Latencies in_journal() const {
    Latencies latencies;
    read_journal(path_ / kJournalName, {[&](std::uint64_t key, std::string_view text, std::string_view) {
                   EXPECT_FALSE(latencies.contains(key)) << "there are two lines of run " << key;
                   latencies[key] = read_result(text).metric("latency_mean_ns");
                 }});
    return latencies;
  }

  fs::path path_ = fs::path(::testing::TempDir()) /
                   (std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()) +
                    std::to_string(::getpid()));
};

TEST_F(ShardJournalsTest, ProcessesFindEachOtherBeforeTheyBegin) {
  const std::string here = std::to_string(::getpid());
  {
    const OpenJournal first = shard(1, 3);
    EXPECT_TRUE(first.journal->locked());
    EXPECT_EQ(refusal([&] { shard(2, 3); }), "");
    EXPECT_THAT(refusal([&] { shard(1, 3); }),
                HasSubstr("another process has it (shard 1/3: process " + here));
    EXPECT_THAT(refusal([&] { shard(2, 4); }), HasSubstr("shards of another number"));
    EXPECT_THAT(refusal([&] { shard(2, 3, kAnother); }), HasSubstr("of another experiment"));
    EXPECT_THAT(refusal([&] { whole(); }), HasSubstr("shards are at work"));
    EXPECT_THAT(refusal([&] { whole(); }), HasSubstr("shard 1/3: process " + here));
  }
  EXPECT_EQ(refusal([&] { shard(1, 4, kAnother); }), "");
  const OpenJournal all = whole();
  EXPECT_TRUE(all.journal->locked());
  EXPECT_THAT(refusal([&] { shard(1, 3); }), HasSubstr("a command without --shard is at work"));
  EXPECT_THAT(refusal([&] { whole(); }), HasSubstr("another process is writing"));
}

TEST_F(ShardJournalsTest, AKilledProcessLosesNoLineAndItsShardCanBeginAgain) {
  EXPECT_EQ(in_child([&] {
              OpenJournal first = shard(1, 2);
              first.journal->add(7, result_of(70));
              ::kill(::getpid(), SIGKILL);
              return 0;
            }),
            128 + SIGKILL);
  {
    const OpenJournal again = shard(1, 2);
    again.journal->add(8, result_of(80));
    EXPECT_EQ(shard_journals(path_).size(), 2U);
  }
  whole();
  EXPECT_EQ(in_journal(), (Latencies{{7, 70}, {8, 80}}));
}

TEST_F(ShardJournalsTest, TheLinesOfAllShardsAreMoved) {
  whole().journal->add(1, result_of(10));
  {
    const OpenJournal first = shard(1, 2), second = shard(2, 2);
    first.journal->add(2, result_of(20, 0.5));
    second.journal->add(3, result_of(30));
    second.journal->add(2, result_of(20, 0.7));  // as after a node that was believed to be dead
    second.journal->add(1, result_of(10));
    std::ofstream(first.journal->path(), std::ios::app) << "{\"sum\": \"0123";  // torn by a kill
  }
  whole();
  EXPECT_EQ(in_journal(), (Latencies{{1, 10}, {2, 20}, {3, 30}}));
  EXPECT_FALSE(fs::exists(path_ / "shards"));
}

TEST_F(ShardJournalsTest, TwoResultsOfARunAreReportedWithTheirFilesAndKept) {
  fs::path first, second;
  {
    const OpenJournal one = shard(1, 2), two = shard(2, 2);
    one.journal->add(7, result_of(70));
    two.journal->add(7, result_of(71));
    first = one.journal->path();
    second = two.journal->path();
  }
  for (int time = 0; time < 2; ++time) try {
      whole();
      FAIL() << "accepted";
    } catch (const InvariantError& error) {
      EXPECT_THAT(error.what(), HasSubstr("run 0000000000000007 has one result in"));
      EXPECT_THAT(error.what(), HasSubstr(second.string()));
    }
  EXPECT_TRUE(fs::exists(first));
  EXPECT_TRUE(fs::exists(second));
}

TEST_F(ShardJournalsTest, SaysWhichProcessesThereAreAndHowTheyEnded) {
  const OpenJournal running = shard(1, 3);
  note_end(*shard(2, 3).journal, "done");
  note_end(*shard(3, 3).journal, "no \"space\" left");
  std::ofstream(path_ / "shards" / "4-of-4-strange.jsonl") << "not a line\n";
  const std::vector<ShardProcess> processes = shard_processes(path_);
  ASSERT_EQ(processes.size(), 3U);
  for (const ShardProcess& process : processes) EXPECT_EQ(process.process, ::getpid());
  EXPECT_EQ(processes[0].shard, (Shard{1, 3}));
  EXPECT_TRUE(processes[0].running);
  EXPECT_EQ(processes[0].end, "");
  EXPECT_FALSE(processes[1].running);
  EXPECT_EQ(processes[1].end, "done");
  EXPECT_EQ(processes[2].end, "no \"space\" left");
}

// While one shard prepares the directory, others wait.
TEST_F(ShardJournalsTest, OneShardAfterTheOtherPreparesTheDirectory) {
  std::atomic<int> inside = 0;
  std::vector<std::jthread> threads;
  for (std::uint64_t number = 1; number <= 4; ++number)
    threads.emplace_back([&, number] {
      open_for_shard(path_, {number, 4}, kThis, [&] {
        EXPECT_EQ(++inside, 1);
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        --inside;
      });
    });
}

// From now on this process gets ENOLCK for a lock, as on a network file system without a lock service.
bool forbid_locks() {
  sock_filter rules[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                         BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_fcntl, 0, 4),
                         BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[1])),
                         BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, F_OFD_GETLK, 0, 2),
                         BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, F_OFD_SETLKW, 1, 0),
                         BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOLCK),
                         BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  const sock_fprog program{std::size(rules), rules};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

// Then two processes can have the same shard, but every one writes a file of its own.
TEST_F(ShardJournalsTest, WithoutLocksNothingIsLost) {
  constexpr int kNoFilter = 43;
  const int code = in_child([&] {
    if (!forbid_locks()) return kNoFilter;
    const OpenJournal one = shard(1, 2), two = shard(1, 2), all = whole();
    if (one.journal->locked() || two.journal->locked() || all.journal->locked()) return 1;
    std::uint64_t key = 1;
    for (const OpenJournal* open : {&one, &two, &all}) {
      open->journal->add(key, result_of(10 * static_cast<double>(key)));
      open->journal->add(9, result_of(90));
      ++key;
    }
    whole();  // compares, and moves nothing
    return shard_journals(path_).size() == 4 ? 0 : 2;
  });
  if (code == kNoFilter) GTEST_SKIP() << "this machine lets no process filter its calls";
  EXPECT_EQ(code, 0);
  EXPECT_TRUE(in_journal().empty());
  whole();
  EXPECT_EQ(in_journal(), (Latencies{{1, 10}, {2, 20}, {3, 30}, {9, 90}}));
}

}  // namespace
}  // namespace headway
