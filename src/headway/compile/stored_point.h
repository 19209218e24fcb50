// SPDX-License-Identifier: Apache-2.0
// What a directory of results needs to know of a point (run/results_dir.h). Nearly all of it is found while a
// spec is checked; then no point is read once more when the directory is opened.
#pragma once

#include <cstdint>

#include "headway/base/input_file.h"
#include "headway/config/document.h"
#include "headway/spec/spec.h"

namespace headway {

struct RunWork;  // compile/experiment.h, whose points have a StoredPoint

struct StoredPoint {
  std::uint64_t content = 0;  // content_of its spec
  double most_bytes = 0;      // upper bound of the text of a run's result in all files of the directory
  bool keeps = false;         // the snapshots of its first run
};

// `work` is that of a run of the spec, and says how many operations the tables of its jobs can list.
// `progress` is called while large files are read. Throws SpecError if a file cannot be read.
StoredPoint stored_point(const Spec& spec, const RunWork& work, const InputFile::Progress& progress = {});
// The stored point of a spec that names no files, from its resolved form.
StoredPoint stored_point(const Spec& spec, const RunWork& work, Document written);

// The hash of a resolved spec without its seed and observe.keep, which change no result, and of the names of
// all metrics. The names are a part of it because all results of a point must have the same metrics and
// columns: a build with other ones repeats the run.
std::uint64_t content_of(Document written);

}  // namespace headway
