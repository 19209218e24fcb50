// SPDX-License-Identifier: Apache-2.0
// A directory of results (--out DIR). Every finished run is appended to a journal (journal.h), so that an
// interrupted sweep continues where it stopped, without losing or repeating runs. At the end, or when
// interrupted, the finished points are written in these files:
//   results.json results.csv  and of each table (result.h) that exists NAME.csv
//   spec.toml (resolved, with the search as a comment; can be run)  manifest.json (origin of the results)
//   journal.jsonl
// and the files in memory that the spec names.
// With observe.keep, the snapshots of the first run of every point are written when it finishes, before its
// line of the journal (snapshot_files.h).
//
// Every run has a key that identifies it (run_key.h). An experiment can use the directory of another one:
// runs that they share are taken from the journal, and the files then describe the new experiment. The
// journal keeps the other runs. All files that a spec names are read before the first run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "headway/base/input_file.h"
#include "headway/compile/experiment.h"
#include "headway/run/results.h"
#include "headway/run/run_key.h"
#include "headway/run/shard_journals.h"
#include "headway/run/snapshot_files.h"
#include "headway/run/sweep.h"

namespace headway {

// The finished points of a directory, from its results.json (read_results). Throws NoResult with the reason
// and a remedy, and SpecError if the file cannot be read.
std::vector<PointResult> results_in(const std::filesystem::path& directory);

// What is said of a directory that cannot hold results of at most so many bytes; empty if it may hold them.
std::string lack_of_space(double available, double most);

class ResultsDir {
 public:
  // Creates the directory, or opens it and reads its journal. Before any work, throws SpecError if a file of
  // the spec cannot be read, and std::system_error if the directory cannot be written, is in use or has too
  // little space. Removes the result files of another experiment; its runs stay in the journal. `progress` is
  // called while large files are read. With a shard, other processes can have other shards at the same time.
  ResultsDir(std::filesystem::path directory, const Experiment& experiment,
             const InputFile::Progress& progress = {}, std::optional<Shard> shard = {});

  // The results of the journal, except those of points whose runs are inconsistent.
  std::vector<std::pair<Task, Result>> take_results() { return std::exchange(found_, {}); }
  // Number of lines of the journal that are not valid results.
  std::size_t damaged() const { return damaged_; }
  // Number of runs in the journal that are not of this experiment.
  std::size_t others() const { return others_.size(); }
  // Returns false if the file system has no locks, so that another process in the directory is not found.
  bool locked() const;
  // Returns true if this process simulates the run: with a shard, only those that are dealt to it.
  bool has(const Task& task) const { return !shard_ || shard_of_[number_of(task)] == shard_->number; }
  // Returns true if the directory described another experiment before.
  bool had_another() const { return had_another_; }

  // Writes the snapshots, if the result has some, and appends to the journal, from any thread; a killed
  // program does not lose the result after the function returns. Throws std::system_error.
  void add(const Task& task, const Result& result);
  // Brings the journal to the disk, at most once a second. Throws std::system_error.
  void sync_if_due();
  // Brings the journal to the disk and, without a shard, writes the result files. `points` are the finished
  // points, `resolved_spec` is a JSON value. Throws std::system_error.
  void write(Points points, std::string_view resolved_spec, std::string_view manifest) const;

  // Notes in the journal how this process ended: "done", "interrupted" or an error. Throws std::system_error.
  void end(std::string_view how);

  std::uint64_t key(const Task& task) const { return keys_.of_run[number_of(task)]; }
  const std::filesystem::path& path() const { return directory_; }

 private:
  std::size_t number_of(const Task& task) const {
    return task.point * static_cast<std::size_t>(experiment_.seeds) +
           static_cast<std::size_t>(task.repetition);
  }
  void read_journals();
  std::size_t read(const std::filesystem::path& journal, std::map<std::size_t, Result>& found);
  void arrange_snapshots();
  // Returns true if the snapshots of this run must be kept but do not exist.
  bool lacks_snapshots(std::size_t number) const;
  std::string description() const;
  void describe_this();

  std::filesystem::path directory_;
  const Experiment& experiment_;
  std::optional<Shard> shard_;
  RunKeys keys_;
  SnapshotFiles snapshots_;
  OpenJournal journal_;
  bool had_another_ = false;
  std::vector<std::uint64_t> shard_of_;                           // [number_of] with a shard
  std::unordered_multimap<std::uint64_t, std::size_t> expected_;  // number_of the runs with a key
  std::vector<std::pair<Task, Result>> found_;
  std::size_t damaged_ = 0;
  std::unordered_set<std::uint64_t> others_;
};

// The origin of a set of results, as a JSON document: version, git id, compiler, model version, seeds,
// command, number of runs taken from the journal, cost.
std::string manifest_json(const Experiment& experiment, Points points,
                          const std::vector<std::string>& command, std::size_t reused = 0);

}  // namespace headway
