// SPDX-License-Identifier: Apache-2.0
// A figure of a user's own results, without a paper: the user names the axes, and the swept keys determine
// the curves.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "headway/papers/paper.h"
#include "headway/run/results.h"

namespace headway {

struct PlotAxes {
  // A swept key with numbers, "time_ns" for the time series, or "destination" for the table per destination.
  // Empty: a swept load, otherwise another swept key with numbers, otherwise time_ns.
  std::string x;
  // A metric, or a column of that table. Empty: accepted_load, or network_efficiency over time.
  std::string y;
  // tree_series or pair_series: draws this table over time, with a curve for each of the largest roots or
  // pairs.
  std::string table = {};
};

struct Plot {
  Paper paper;  // with one figure, `figure()`
  std::vector<Curve> curves;

  const FigureSpec& figure() const { return paper.figures.front(); }
};

// The label of an axis: "latency mean (ns)". `table` is that of the column; empty for a metric.
std::string label_of(std::string_view name, std::string_view table);

// A curve for every combination of the other swept keys. `title` goes above the picture. Throws SpecError
// with the keys "--x" and "--y" if the results do not have these columns.
Plot make_plot(const std::vector<PointResult>& results, const PlotAxes& axes, const std::string& title);

}  // namespace headway
