// SPDX-License-Identifier: Apache-2.0
// A figure of a user's own results, without a paper: what is on the axes is named, the curves follow from the
// swept keys.
#pragma once

#include <string>
#include <vector>

#include "headway/papers/paper.h"
#include "headway/run/results.h"

namespace headway {

struct PlotAxes {
  // A swept key with numbers, "time_ns" for the time series, or "destination" for the table per destination.
  // Empty: a load if one is swept, else another swept key with numbers, else time_ns.
  std::string x;
  // A metric, or a column of that table. Empty: accepted_load, or network_efficiency over time.
  std::string y;
};

struct Plot {
  Paper paper;  // with one figure, `figure()`
  std::vector<Curve> curves;

  const FigureSpec& figure() const { return paper.figures.front(); }
};

// A curve for every combination of the other swept keys. `title` goes above the picture. Throws SpecError
// with what the results do not have, under the keys "--x" and "--y".
Plot make_plot(const std::vector<PointResult>& results, const PlotAxes& axes, const std::string& title);

}  // namespace headway
