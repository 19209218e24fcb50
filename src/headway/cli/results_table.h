// SPDX-License-Identifier: Apache-2.0
// Results for the eye: one row per point with the numbers most people look for first, shown as soon as the
// point and all before it are done.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "headway/cli/terminal.h"
#include "headway/compile/experiment.h"
#include "headway/run/results.h"

namespace headway::cli {

class ResultsTable {
 public:
  // With the metrics most people look for first, or with these.
  explicit ResultsTable(const Experiment& experiment, std::span<const std::string_view> metrics = {});

  std::string header() const;
  std::string row(const PointResult& point, const Terminal& terminal);
  // What the marks in the rows above mean; empty if there are none.
  std::string notes() const;

 private:
  std::vector<std::string> keys_;          // of the params, shortened where that is not ambiguous
  std::vector<std::size_t> widths_;        // of their columns
  std::vector<std::string_view> metrics_;  // the columns
  std::size_t cell_width_;                 // of a metric's column
  std::vector<std::string> notes_;
  std::vector<std::string> victims_;  // of the rows that have any
};

}  // namespace headway::cli
