// SPDX-License-Identifier: Apache-2.0
// The journals of a directory of results into which several processes may write.
//
//   journal.jsonl                                 of commands that simulate the whole experiment
//   shards/I-of-N-HOST-PROCESS-START.jsonl        of one process that simulated shard I of N (deal.h)
//
// Every process of a shard has a journal of its own. So a file has one writer, which only appends, and no
// line depends on locks, which some network file systems do not have. The first note of such a journal says
// which process writes it, and the last one how the process ended. A process that is killed says nothing.
//
// Locks let processes find each other before any of them simulates or removes something:
//   - A process locks its own journal, so others see whether it still runs.
//   - A command for the whole experiment locks all of journal.jsonl. The process of a shard locks bytes of
//     it: one that all shards share, one for the number of the shard, and one for what shards must have in
//     common, the experiment and the number of shards. One more byte lets them begin one after the other.
//     (A network file system can show an old list of files, so these locks are not on files in shards/.)
//
// A command for the whole experiment first moves the lines of all shards to journal.jsonl. The order of lines
// changes no result. A line is removed only after its copy has reached the disk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "headway/run/deal.h"

namespace headway {

class Journal;
class LockableFile;

inline constexpr std::string_view kJournalName = "journal.jsonl";

// How a process ended, if not with an error.
inline constexpr std::string_view kEndDone = "done", kEndInterrupted = "interrupted";

// A process that simulates a shard, or did.
struct ShardProcess {
  Shard shard;
  std::string host;
  std::int64_t process = 0;
  std::int64_t start = 0;  // seconds since 1970
  std::filesystem::path journal;
  bool running = false;  // false, too, if the file system has no locks
  std::string end;       // kEndDone, kEndInterrupted or an error; empty if it has not said how it ended
};

// "process 4711 on node7"
std::string describe(const ShardProcess& process);

// The shards that are at work, with their processes; empty if there is none.
std::string at_work_in(const std::filesystem::path& directory);

// The journals of shards, in a fixed order.
std::vector<std::filesystem::path> shard_journals(const std::filesystem::path& directory);
// The processes that wrote them. Leaves out those whose journals cannot be read or do not say it.
std::vector<ShardProcess> shard_processes(const std::filesystem::path& directory);

// The journal of this process, and the other locks that it holds.
struct OpenJournal {
  std::shared_ptr<LockableFile> seat = {};  // the locks on journal.jsonl of a process with a shard
  std::shared_ptr<Journal> journal;
};

// Moves the lines of all shards to journal.jsonl and opens it. Without locks, moves nothing and opens a new
// journal in shards/. Throws std::system_error, also if another process is at work in the directory, and
// InvariantError if two journals have different results for a run.
OpenJournal open_for_whole(const std::filesystem::path& directory);

// Opens a new journal for a shard. `experiment` distinguishes experiments. `prepare` is called before, while
// no other process opens a journal. Throws std::system_error, also if another process has this shard, if
// shards of another number or experiment are at work, or if a command for the whole experiment is.
OpenJournal open_for_shard(const std::filesystem::path& directory, const Shard& shard,
                           std::uint64_t experiment, const std::function<void()>& prepare);

// Notes how this process ends.
void note_end(Journal& journal, std::string_view end);

}  // namespace headway
