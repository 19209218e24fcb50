// SPDX-License-Identifier: Apache-2.0
// A table of results to read: one row per point with the main metrics, printed as soon as the point and all
// points before it are finished.
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
  // Shows `metrics`, or the main metrics if it is empty.
  explicit ResultsTable(const Experiment& experiment, std::span<const std::string_view> metrics = {});

  std::string header() const;
  std::string row(const PointResult& point, const Terminal& terminal);
  // Explains the marks in the rows above; empty if there are none.
  std::string notes() const;

 private:
  std::vector<std::string> keys_;          // names of the parameters, shortened where they stay unambiguous
  std::vector<std::size_t> widths_;        // widths of their columns
  std::vector<std::string_view> metrics_;  // the columns
  bool limits_ = false;                    // has a column limited_by, of searches
  std::size_t cell_width_;                 // width of a metric's column
  std::string until_;                      // the metric that determines the number of seeds
  std::size_t narrow_ = 0, wide_ = 0;      // number of points whose interval is narrow enough, or is not
  std::vector<std::string> notes_;
  std::vector<std::string> victims_;  // victims of each row that has any
  std::vector<std::string> cut_off_;  // what is cut off in each row where something is
};

}  // namespace headway::cli
