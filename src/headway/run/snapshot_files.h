// SPDX-License-Identifier: Apache-2.0
// The files of snapshots in a directory of results: snapshots/point-N-KEY.snap, with N from 1 in the order of
// the points and the key of the run (run_key.h), or earlier-KEY.snap if no point of the experiment has this
// run. When points move, their files are renamed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <vector>

namespace headway {

// The file of a point, by its number from 0; nullopt if there is none.
std::optional<std::filesystem::path> snapshots_of(const std::filesystem::path& directory, std::size_t point);

class SnapshotFiles {
 public:
  // Reads the names of the existing files, and changes nothing.
  explicit SnapshotFiles(const std::filesystem::path& directory);

  bool has(std::uint64_t key) const { return files_.contains(key); }
  // Gives the files their names in an experiment: `runs` has the key of the run of each point, or none.
  // Throws std::system_error.
  void arrange(const std::vector<std::optional<std::uint64_t>>& runs);
  // Where the file of a run belongs; its folder exists. Throws std::system_error.
  std::filesystem::path place_for(std::size_t point, std::uint64_t key) const;

 private:
  std::filesystem::path folder_;
  std::multimap<std::uint64_t, std::filesystem::path> files_;  // by the key of the run
};

}  // namespace headway
