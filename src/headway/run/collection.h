// SPDX-License-Identifier: Apache-2.0
// Collects the results of an experiment: first those that an earlier run stored in a directory, then those of
// a sweep over the rest. Points are reported in the order of the experiment, each as soon as it and all
// points before it are finished. With a directory (results_dir.h), finished results are stored there, even if
// the sweep is interrupted.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "headway/run/results_dir.h"
#include "headway/run/sweep.h"

namespace headway {

class Collection {
 public:
  // In memory only.
  explicit Collection(const Experiment& experiment);
  // Also in a directory. `progress` is that of ResultsDir; `command` is for the manifest. Throws the
  // exceptions of ResultsDir.
  struct Place {
    std::filesystem::path directory;
    std::vector<std::string> command = {};
    InputFile::Progress progress = {};
  };
  Collection(const Experiment& experiment, const Place& place);

  // Called for every point from now on; `resume` calls it for points that an earlier run stored.
  std::function<void(const PointResult&)> on_point;

  // Takes the results that an earlier run stored in the directory. Returns the number of runs.
  std::size_t resume();
  // Takes a result and stores it in the directory. Throws std::system_error if that fails.
  void add(const Task& task, Result result);
  // The key of a run (run_key.h). Requires a directory.
  std::uint64_t key(const Task& task) const { return directory_.value().key(task); }
  // The result of a run; null if it is not finished.
  const Result* find(const Task& task) const;

  // Runs the missing runs with run_sweep. With `until`, it works in rounds: each round has the repetitions
  // that points probably need, estimated from the results of earlier rounds, so they do not depend on the
  // number of jobs. When it returns or throws, all finished results have been written to the directory, also
  // when it calls `on_stuck`.
  bool run(SweepOptions options);

  std::size_t runs() const;                 // number of runs requested so far; with `until`, more can follow
  std::size_t finished() const;             // number of these that are finished
  std::vector<PointResult> points() const;  // points with all runs finished
  std::string json() const;                 // these points as a document (results_json)
  const ResultsDir* directory() const { return directory_ ? &*directory_ : nullptr; }
  // Writes the result files, if there is a directory.
  void write() const;

 private:
  void take(const Task& task, Result result);
  void settle(std::size_t point);
  std::vector<Task> missing() const;

  const Experiment& experiment_;
  std::vector<std::string> command_;
  std::optional<ResultsDir> directory_;
  std::vector<std::vector<std::optional<Result>>> pending_;  // [point][repetition], of unfinished points
  std::vector<std::optional<PointResult>> points_;           // [point]
  std::vector<std::size_t> wanted_;                          // [point] repetitions
  std::size_t handed_on_ = 0;                                // number of points given to on_point
  std::size_t reused_ = 0;
};

}  // namespace headway
