// SPDX-License-Identifier: Apache-2.0
// Collects the results of an experiment: first those that an earlier run stored in a directory, then those of
// a sweep over the rest. Points are reported in the order of the experiment, each as soon as it and all
// points before it are finished. With a directory (results_dir.h), finished results are stored there, even if
// the sweep is interrupted.
//
// The threads of a sweep take results at the same time. There are three mutexes: of the sweep (what is to be
// done, sweep.cpp), of the journal (the end of its file) and of the collection (which results there are). No
// thread holds two of them, and none is held while a result is formatted, hashed, combined or synchronised.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "headway/run/results_dir.h"
#include "headway/run/seeds_plan.h"
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
    std::optional<Shard> shard = {};  // simulates only its part of the missing runs
  };
  Collection(const Experiment& experiment, const Place& place);

  // Called for every point from now on, in the thread that calls `resume`, `add` or `run`.
  std::function<void(const PointResult&)> on_point;

  // Takes the results that an earlier run stored in the directory. Returns the number of runs.
  std::size_t resume();
  // Takes a result and stores it in the directory. Returns the tasks that its point needs next: with `until`,
  // those of another round. Throws std::system_error if that fails. Not during a sweep.
  std::vector<Task> add(const Task& task, Result result);
  // The tasks that are requested so far and not finished.
  std::vector<Task> missing() const;
  // The key of a run (run_key.h). Requires a directory.
  std::uint64_t key(const Task& task) const { return directory_.value().key(task); }
  // The result of a run; null if it is not finished. Not during a sweep.
  const Result* find(const Task& task) const;

  // Runs the missing runs with run_sweep. With `until`, each point has rounds: a round has the repetitions
  // that the point probably needs, estimated from the results of its earlier rounds, so they do not depend on
  // the number of jobs. When it returns or throws, all finished results have been written to the directory,
  // also when it calls `on_stuck`. Tests replace the runs by `instead`.
  bool run(SweepOptions options, const RunPoint& instead = {});

  std::size_t missing_runs() const { return missing().size(); }  // those that `run` would begin with
  std::size_t runs() const;      // number of runs requested so far; with `until`, more can follow
  std::size_t finished() const;  // number of these that are finished
  std::vector<const PointResult*> points() const;  // points with all runs finished
  std::vector<PointResult> take_points();          // the same; at the end, leaves none
  void json(const Sink& to) const;                 // these points as a document (results_json)
  const ResultsDir* directory() const { return directory_ ? &*directory_ : nullptr; }
  // Writes the result files, if there is a directory.
  void write() const;

 private:
  std::vector<Task> store(const Task& task, Result result);
  std::vector<Task> keep(const Task& task, Result result);
  SeedsPlan plan_of(std::size_t point) const;
  std::vector<Task> missing_of(std::size_t point) const;
  void hand_on();
  void finish(std::string_view how);

  const Experiment& experiment_;
  std::vector<std::string> command_;
  std::optional<ResultsDir> directory_;
  std::size_t handed_on_ = 0;  // number of points given to on_point
  std::size_t reused_ = 0;

  mutable std::mutex mutex_;                                 // guards the members below
  std::vector<std::vector<std::optional<Result>>> pending_;  // [point][repetition], of unfinished points
  std::vector<std::optional<PointResult>> points_;           // [point]; one that is there stays as it is
  std::vector<std::size_t> wanted_;                          // [point] repetitions
};

}  // namespace headway
