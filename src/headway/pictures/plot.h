// SPDX-License-Identifier: Apache-2.0
// A figure of a user's own results, without a paper: the user names the axes, and the swept keys determine
// the curves.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "headway/pictures/figure_spec.h"
#include "headway/run/results.h"

namespace headway {

struct PlotAxes {
  // A swept key (bars if its values are names), a metric, "time_ns" for the time series, "destination" for
  // the table per destination, or a column of `table`. Empty: a swept load, otherwise another swept key with
  // numbers, otherwise a swept key with names, otherwise time_ns.
  std::string x = {};
  // Metrics, or columns of the table, in panels below each other. The first one is empty or missing:
  // accepted_load, or network_efficiency over time.
  std::vector<std::string> y = {};
  // Draws the rows of this table, with a curve for every point and, if the table names flows, for each flow.
  std::string table = {};
  std::string x_label = {};          // instead of the name of x
  bool log_y = false;                // otherwise the values decide
  std::optional<double> y_max = {};  // upper end of the axis; otherwise it follows the steady points
};

struct Plot {
  FigureSet set;  // with one figure, `figure()`
  std::vector<Curve> curves;
  std::string note = {};  // what is not drawn

  const FigureSpec& figure() const { return set.figures.front(); }
};

// The label of an axis: "latency mean (ns)". `table` is that of the column; empty for a metric.
std::string label_of(std::string_view name, std::string_view table);

// `title` goes above the picture. Throws SpecError with the keys "--x", "--y" and "--table" if the results do
// not have what they name.
Plot make_plot(const std::vector<PointResult>& results, const PlotAxes& axes, const std::string& title);

}  // namespace headway
