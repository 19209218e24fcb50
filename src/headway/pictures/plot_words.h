// SPDX-License-Identifier: Apache-2.0
// Shared by the files that make figures of a user's own results: names, and hints to them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "headway/pictures/plot.h"
#include "headway/run/results.h"

namespace headway::plots {

using Words = std::vector<std::string_view>;

// What a user who wrote `name` may have meant: the nearest name, the names that share words with it, or all.
// `file` has the valid names as columns; it is named instead of a long list.
std::string nearest_of(std::string_view name, const Words& valid, std::string_view file = {});

// nearest_of for a column of results. Says which runs have a metric that these results do not have.
std::string nearest_metric(std::string_view name, const Words& valid, std::string_view table);

// The metrics of all panels; the first one is `standard` unless the user names it.
std::vector<std::string> all_y(const PlotAxes& axes, std::string_view standard);

// A figure of these columns, without curves. `table` is that of the metrics; empty if they are those of runs.
FigureSpec figure_of(const std::string& title, Rows rows, const Axis& x, const std::vector<std::string>& ys,
                     std::string_view table);
// An axis of time.
Axis time_axis();

// The swept keys and values of a point that tell it from other points. Leaves out keys whose values follow
// from those of another key, as in sweep.zip.
Params telling_params(const std::vector<PointResult>& results, const PointResult& point);

// The values of swept keys, as data.csv names a curve: "obqa, 0.9"; empty if there are none.
std::string values_text(const Params& params);
// The values of swept keys for a legend, where a bare number stands behind its key: "obqa, load 0.9".
std::string label_text(const Params& params);

// Returns true if all points with the same value of `by` have the same value of `key`.
bool is_determined(const std::vector<PointResult>& results, std::string_view key, std::string_view by);

// A figure of the rows of axes.table, which must be named.
Plot make_table_plot(const std::vector<PointResult>& results, const PlotAxes& axes, const std::string& title);

}  // namespace headway::plots
