// SPDX-License-Identifier: Apache-2.0
// The results of finished runs, one line each, written to the disk as soon as they are available:
//
//     {"sum": "0123456789abcdef", "key": "fedcba9876543210", "result": {...}}
//
// The sum is the hash of what follows it in its line. A line that is incomplete, damaged or edited is not
// valid; its run is repeated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <unordered_set>

#include "headway/io/atomic_file.h"
#include "headway/metrics/result.h"

namespace headway {

class Journal {
 public:
  // Opens or creates the journal, for one process at a time. Calls `take` for the result of every valid line
  // whose key is `wanted`; the last line of a key counts. Throws std::system_error and SpecError.
  Journal(const std::filesystem::path& path, const std::function<bool(std::uint64_t key)>& wanted,
          const std::function<void(std::uint64_t key, Result)>& take);

  void add(std::uint64_t key, const Result& result);  // throws std::system_error

  std::size_t damaged() const { return damaged_; }       // number of invalid lines
  std::size_t others() const { return others_.size(); }  // number of runs that were not wanted

 private:
  AppendFile file_;
  std::size_t damaged_ = 0;
  std::unordered_set<std::uint64_t> others_;
};

}  // namespace headway
