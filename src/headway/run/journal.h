// SPDX-License-Identifier: Apache-2.0
// The results of finished runs, one line each, in the order of completion:
//
//     {"sum": "0123456789abcdef", "key": "fedcba9876543210", "result": {...}}
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
#include <string>
#include <unordered_set>

#include "headway/io/atomic_file.h"
#include "headway/metrics/result.h"

namespace headway {

class Journal {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kBetweenSyncs{
      800};  // with what a sweep waits between calls: 0.9 s

  // Opens or creates the journal, for one process at a time. Calls `take` for the result of every valid line
  // whose key is `wanted`; the last line of a key counts. Throws std::system_error and SpecError.
  Journal(const std::filesystem::path& path, const std::function<bool(std::uint64_t key)>& wanted,
          const std::function<void(std::uint64_t key, Result)>& take);

  // Adds a line, from any thread. Throws std::system_error.
  void add(std::uint64_t key, const Result& result);
  // Brings all lines to the disk; returns false if there was no new one. Throws std::system_error.
  bool sync();
  // The same, but not within kBetweenSyncs after the last time.
  bool sync_if_due(Clock::time_point now);

  std::size_t damaged() const { return damaged_; }       // number of invalid lines
  std::size_t others() const { return others_.size(); }  // number of runs that were not wanted

 private:
  AppendFile file_;
  std::mutex mutex_;  // guards the end of the file and `unsynced_`; held while a finished line is written
  bool unsynced_ = false;
  Clock::time_point synced_ = {};  // of the thread that calls sync
  std::size_t damaged_ = 0;
  std::unordered_set<std::uint64_t> others_;
};

}  // namespace headway
