// SPDX-License-Identifier: Apache-2.0
// A directory of results (--out DIR). Every finished run is appended to a journal at once, so a sweep that
// was killed continues where it stopped: nothing is lost and nothing is computed twice. At the end, or when
// interrupted, the finished points are written in the forms people read:
//   results.json results.csv  and of each table (result.h) that exists NAME.csv
//   spec.toml (resolved; runs as it is)  manifest.json (what made this)  journal.jsonl
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "headway/experiment/experiment.h"
#include "headway/experiment/sweep.h"
#include "headway/io/atomic_file.h"
#include "headway/io/results.h"

namespace headway {

class ResultsDir {
 public:
  // Creates the directory or opens it, and reads its journal. Throws SpecError if it holds results of another
  // spec (with what differs), std::system_error if it cannot be written, is in use or has too little space:
  // before any work. `resolved_spec` is TOML; `method` is what else decides a result, if it is not one run.
  ResultsDir(std::filesystem::path directory, const Experiment& experiment, std::string_view resolved_spec,
             std::string_view method = {});

  // The result of a run that is in the journal, or null.
  const Result* find(const Task& task) const;
  // Appends to the journal; on the disk when it returns. Throws std::system_error.
  void add(const Task& task, const Result& result);
  // Writes the files for people. `points` are those finished so far.
  void write(const std::vector<PointResult>& points, std::string_view results_json,
             std::string_view manifest) const;

  const std::filesystem::path& path() const { return directory_; }
  std::size_t size() const { return result_of_.size(); }

 private:
  std::string key_of(const Task& task) const;
  void read_journal(const std::filesystem::path& path);

  std::filesystem::path directory_;
  const Experiment& experiment_;
  std::uint64_t spec_hash_;
  std::unordered_map<std::string, Result> result_of_;  // by key_of
  std::unique_ptr<AppendFile> journal_;
};

// What made a set of results, as a JSON document: version, git id, compiler, model version, seeds, command,
// cost.
std::string manifest_json(const Experiment& experiment, const std::vector<PointResult>& points,
                          const std::vector<std::string>& command);

// The keys of two TOML texts that differ, one line each: "switch.queues: 4 there, 8 now".
std::string spec_differences(std::string_view there, std::string_view now);

}  // namespace headway
