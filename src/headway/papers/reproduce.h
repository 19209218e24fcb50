// SPDX-License-Identifier: Apache-2.0
// Reproducing a paper: its figures are checked, simulated, drawn and written, and its claims are judged.
// What two figures both need is simulated once. A directory that a stopped reproduction left is continued.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "headway/base/cancel.h"
#include "headway/papers/figure.h"
#include "headway/papers/paper.h"
#include "headway/papers/paper_report.h"
#include "headway/run/sweep.h"

namespace headway {

struct ReproduceOptions {
  std::filesystem::path directory;        // gets a folder per figure; of a single figure, its files
  bool quick = false;                     // with each figure's `quick` settings
  std::optional<std::string> trace = {};  // path of a trace that replaces those that are made up
  Titles titles = Titles::shown;          // of the pictures
  unsigned jobs = 0;                      // runs at once; 0: one per core
  CancelFlag cancelled = nullptr;         // polled while runs are computed
  std::vector<std::string> command = {};  // for the manifest of the results
  std::function<void(std::string_view)> on_note = {};  // Experiment::note of a figure's spec
  InputFile::Progress on_read = {};                    // while an input file is read
  std::function<void(const FigureSpec&, const SweepProgress&)> on_progress = {};
  std::function<void(const MadeFigure&, const FigureFiles&)> on_figure = {};  // as each is made
};

struct Reproduction {
  bool complete = false;            // false: cancelled; then there are neither figures nor claims
  std::vector<MadeFigure> figures;  // in the order asked for
  std::vector<JudgedClaim> claims;  // those whose figures are all among them
};

// Writes claims.json beside the figures. Throws SpecError with every mistake of all figures before the first
// run, and whatever a Collection throws. `paper` and `figures` must outlive the result.
Reproduction reproduce(const Paper& paper, const std::vector<const FigureSpec*>& figures,
                       const ReproduceOptions& options);

}  // namespace headway
