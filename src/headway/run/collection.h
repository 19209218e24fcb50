// SPDX-License-Identifier: Apache-2.0
// The results of an experiment as they come: what an earlier run left in a directory first, then those of a
// sweep over the rest. Points are handed on in the order of the experiment, each as soon as it and all before
// it are done. With a directory (results_dir.h) whatever is finished is kept there, however the sweep ends.
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
  // In a directory, too. `method` and `progress` as of ResultsDir; `command` is for the manifest. Throws what
  // ResultsDir throws.
  struct Place {
    std::filesystem::path directory;
    std::string method = {};
    std::vector<std::string> command = {};
    InputFile::Progress progress = {};
  };
  Collection(const Experiment& experiment, const Place& place);

  // Called for every point from now on; for those that an earlier run left, by `resume`.
  std::function<void(const PointResult&)> on_point;

  // Takes what an earlier run left in the directory, and says how many runs that are.
  std::size_t resume();
  // Takes a result and puts it into the directory. Throws std::system_error if that fails.
  void add(const Task& task, Result result);
  // The result of a run, or null.
  const Result* find(const Task& task) const;

  // Runs what is missing, as run_sweep does: `known` and `on_result` are set. Whatever is finished has been
  // written to the directory when it returns or throws.
  bool run(SweepOptions options);

  std::size_t runs() const { return points_.size() * static_cast<std::size_t>(experiment_.seeds); }
  std::size_t finished() const { return finished_; }  // runs
  std::vector<PointResult> points() const;            // those whose runs are all finished
  std::string json() const;                           // the same as a document (results_json)
  const ResultsDir* directory() const { return directory_ ? &*directory_ : nullptr; }
  // Writes the files for people, if there is a directory.
  void write() const;

 private:
  void take(const Task& task, Result result);

  const Experiment& experiment_;
  std::vector<std::string> command_;
  std::optional<ResultsDir> directory_;
  std::vector<std::vector<std::optional<Result>>> pending_;  // [point][repetition], of unfinished points
  std::vector<std::optional<PointResult>> points_;           // [point]
  std::size_t handed_on_ = 0;                                // points
  std::size_t finished_ = 0;
};

}  // namespace headway
