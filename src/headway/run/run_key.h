// SPDX-License-Identifier: Apache-2.0
// The key of a run: the hash of everything that determines its result. This is the resolved spec of its point
// with its seed, in which the content of each file replaces its name; the version of the model; the names of
// all metrics; and the search, if the result is not that of a single run. The place of a run in a sweep is
// not included, so experiments that share a run share its result. Names of files and observe.keep are not
// included because they change no result.
#pragma once

#include <cstdint>
#include <vector>

#include "headway/base/input_file.h"
#include "headway/compile/experiment.h"

namespace headway {

// What identifies the runs of an experiment in a directory. A run has the number point * seeds + repetition.
struct RunKeys {
  // `progress` is called while large files are read. Throws SpecError if a file cannot be read.
  explicit RunKeys(const Experiment& experiment, const InputFile::Progress& progress = {});

  std::vector<std::uint64_t> of_run;
  std::vector<bool> keeps;  // [point] snapshots of its first run
  double most_bytes = 0;    // of all results, with at_least seeds
};

}  // namespace headway
