// SPDX-License-Identifier: Apache-2.0
// Tables of results to read: one row per point with the main metrics, printed as soon as the point and all
// points before it are finished; then one row per flow of each point, if there are several.
#pragma once

#include <cstddef>
#include <functional>
#include <set>
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
  // Shows `metrics`, or the main metrics if it is empty, as far as they fit into `width` columns.
  ResultsTable(const Experiment& experiment, std::size_t width,
               std::span<const std::string_view> metrics = {});

  std::string header() const;
  std::string row(const PointResult& point, const Terminal& terminal);
  // The tables of flows and of jobs; empty if no point has several, and no job was run alone.
  std::string by_name() const;
  // Explains the marks in the rows above, and what is not shown; with the reasons of the first points whose
  // status is not ok. Empty if there is nothing to say.
  std::string notes(bool with_reasons) const;

 private:
  std::vector<std::string_view> keep_fitting(std::vector<std::string_view>& metrics,
                                             std::size_t before) const;
  // A table with a row for each flow, or each job, of each point.
  struct RowsByName {
    std::string_view title;  // of the names
    std::string_view table;  // its numbers
    std::span<const std::string_view> wanted;
    std::vector<std::string_view> metrics = {};  // of `wanted`: the columns
    std::vector<std::string_view> hidden = {};   // of `wanted`: those for which there is no room
    struct Row {
      std::string params;
      std::string name;
      std::string cells;
    };
    std::vector<Row> rows = {};        // of all points so far
    std::size_t width = title.size();  // of the column of names
    std::size_t copies = 0;            // of jobs, which have no rows here
  };
  void add(const PointResult& point, RowsByName& named) const;
  std::string text_of(const RowsByName& named) const;

  // The values of a point's parameters, as cells.
  std::string params_of(const PointResult& point) const;
  std::string titles_of_params() const;
  std::size_t width_of(std::string_view metric) const;
  std::string cell(const Result& result, std::string_view name, std::string_view metric) const;

  std::size_t width_;                      // of the terminal, in columns
  std::vector<std::string> keys_;          // names of the parameters, shortened where they stay unambiguous
  std::vector<std::size_t> widths_;        // widths of their columns
  std::vector<std::string_view> metrics_;  // the columns
  std::vector<std::string_view> hidden_;   // metrics for which there is no room
  std::set<std::string, std::less<>> copies_;  // names of jobs that are one of several copies
  RowsByName flows_, classes_, jobs_;
  bool limits_ = false;                // has a column limited_by, of searches
  std::size_t cell_width_;             // width of a metric's column
  std::string until_;                  // the metric that determines the number of seeds
  std::size_t narrow_ = 0, wide_ = 0;  // number of points whose interval is narrow enough, or is not
  bool doubtful_ = false;              // a point's status is not ok
  std::vector<std::string> notes_;
  std::vector<std::string> victims_;  // victims of each row that has any
  std::vector<std::string> cut_off_;  // what is cut off in each row where something is
};

}  // namespace headway::cli
