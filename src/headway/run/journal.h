// SPDX-License-Identifier: Apache-2.0
// The results of finished runs, one line each, in the order of completion:
//
//     {"sum": "0123456789abcdef", "key": "fedcba9876543210", "result": {...}}
//
// The journal of a shard also has notes about its process (shard_journals.h):
//
//     {"sum": "0123456789abcdef", "note": {...}}
//
// The sum is the hash of what follows it in its line. A line that is incomplete, damaged or edited is not
// valid; its run is repeated.
//
// A line is in the file as soon as its run is finished, so a program that is killed loses none. It is on the
// disk when `sync` returns; the disk is slow, and is told at most once a second.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string_view>

#include "headway/io/atomic_file.h"
#include "headway/metrics/result.h"

namespace headway {

// What is done with the lines of a journal. `line` is the whole line without its end.
struct JournalReader {
  std::function<void(std::uint64_t key, std::string_view result, std::string_view line)> on_run;
  std::function<void(std::string_view note)> on_note = {};
};
// Returns the number of invalid lines. Throws SpecError if the file cannot be read.
std::size_t read_journal(const std::filesystem::path& path, const JournalReader& reader);

class Journal {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kBetweenSyncs{
      800};  // with what a sweep waits between calls: 0.9 s

  // Opens the file (AppendFile), and ends its last line if it is torn, unless others may be writing it.
  explicit Journal(const std::filesystem::path& path);

  // Adds a line, from any thread. Throws std::system_error.
  void add(std::uint64_t key, const Result& result);
  // Adds a note, a JSON value on one line, from any thread.
  void add_note(std::string_view note);
  void add_line(std::string_view line);  // a whole line of another journal, without its end
  // Brings all lines to the disk; returns false if there was no new one. Throws std::system_error.
  bool sync();
  // Calls sync(), but not within kBetweenSyncs after the last time.
  bool sync_if_due(Clock::time_point now);

  const std::filesystem::path& path() const { return file_.path(); }
  bool locked() const { return file_.locked(); }

 private:
  void append(std::string_view line);

  AppendFile file_;
  std::mutex mutex_;  // guards the end of the file and `unsynced_`; held while a finished line is written
  bool unsynced_ = false;
  Clock::time_point synced_ = {};  // of the thread that calls sync
};

}  // namespace headway
