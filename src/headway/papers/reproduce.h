// SPDX-License-Identifier: Apache-2.0
// Reproduces a paper: checks, simulates, draws and writes its figures, and judges its claims. Runs that
// several figures need are simulated once. An interrupted reproduction continues in its directory.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "headway/base/cancel.h"
#include "headway/papers/paper.h"
#include "headway/papers/paper_report.h"
#include "headway/pictures/figure.h"
#include "headway/run/sweep.h"

namespace headway {

struct ReproduceOptions {
  std::filesystem::path directory;        // contains a directory per figure, or the files of a single figure
  bool quick = false;                     // with each figure's `quick` settings
  std::optional<std::string> trace = {};  // path of a trace that replaces synthetic ones
  Titles titles = Titles::shown;          // of the pictures
  unsigned jobs = 0;                      // number of parallel runs; 0: one per core
  CancelFlag cancelled = nullptr;         // polled during runs
  std::function<void()> on_stuck = {};    // as in SweepOptions
  std::vector<std::string> command = {};  // for the manifest of the results
  InputFile::Progress on_read = {};       // while an input file is read
  std::function<void(const FigureSpec&, const SweepProgress&)> on_progress = {};
  std::function<void(const MadeFigure&)> on_figure = {};  // when a figure is finished
};

struct Reproduction {
  bool complete = false;            // false: cancelled; then figures and claims are empty
  std::vector<MadeFigure> figures;  // in the requested order
  std::vector<JudgedClaim> claims;  // claims whose figures are all included
  double cpu_s = 0;                 // processor time of all runs, also of those that were continued
};

// The experiment of a figure whose points are simulated: runs, or saturation searches. `settings` are
// overrides.
Experiment experiment_of(const FigureSpec& figure, const std::vector<Override>& settings);

// Writes claims.json beside the figures. Throws SpecError with the mistakes of all figures before the first
// run, and the exceptions of Collection. `paper` and `figures` must outlive the result.
Reproduction reproduce(const Paper& paper, const std::vector<const FigureSpec*>& figures,
                       const ReproduceOptions& options);

}  // namespace headway
