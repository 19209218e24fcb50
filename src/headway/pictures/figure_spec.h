// SPDX-License-Identifier: Apache-2.0
// What a figure shows: its axes, its curves, and the rule that converts the results of points to curves.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "headway/base/error.h"
#include "headway/compile/experiment.h"
#include "headway/compile/load.h"
#include "headway/pictures/curve.h"
#include "headway/pictures/expression.h"
#include "headway/spec/saturation_search.h"
#include "headway/topology/topology.h"

namespace headway {

// The part of a result that gives the rows of a curve. In the sparse tables, rows with the same x are added
// up, and missing rows are 0.
enum class Rows {
  points,        // the points of a sweep; x is a swept key or a metric, the columns are metrics
  series,        // the time series of one result
  destinations,  // the table per destination of one result
  stages,        // the table per stage of one result
  structure,     // the table per stage of a figure of the network's structure
  tree_series,   // a sparse table over time, of congestion trees
  pair_series,   // a sparse table over time, of source-destination pairs
  flow_series,   // a table over time, of the flows of the spec; treated as a sparse one
};
constexpr auto names_in_specs(Rows) {
  return name_list("points", "series", "destinations", "stages", "structure", "tree_series", "pair_series",
                   "flow_series");
}
bool is_over_time(Rows rows);
bool is_sparse(Rows rows);

// `areas` are stacked in the order of the legend; `markers` are lines without the line.
enum class Drawing { lines, areas, markers, bars, table };
constexpr auto names_in_specs(Drawing) { return name_list("lines", "areas", "markers", "bars", "table"); }

struct Axis {
  std::string column;  // metric, swept key, or column of the table that makes the rows
  std::string label;   // with its unit
  std::string unit;    // "us" or "ms" converts a column in ns; empty: no conversion
  std::optional<double> from;
  std::optional<double> to;
  bool logarithmic = false;
  std::vector<std::string> names = {};  // shown at 0, 1, 2 ... instead of numbers
  bool marks_beyond = false;            // an arrow shows where a curve is above the axis

  double scale() const;       // factor from the column's unit to that of the axis
  std::string shown() const;  // name of the column in the unit of the axis: time_us for time_ns
};

// A named interval of x, drawn behind the curves.
struct Shade {
  double from = 0;
  double to = 0;
  std::string label;
};

struct FigureSpec {
  struct CurveSpec {
    std::string name;
    std::string label;
    Params where;                   // swept keys and values that choose its points
    std::string column = {};        // drawn instead of the figure's y column
    std::optional<Rows> rows = {};  // instead of the figure's; not points
    // For sparse tables: values of columns that select rows. If several curves of a point draw the same
    // column, a row belongs to the first curve that selects it.
    Params only = {};
    std::vector<std::string> each = {};  // one curve per value of these columns, named after it
    std::size_t most = 5;  // number of these curves, the largest; the rest is one curve with the label
    std::optional<Expression> measure = {};  // over x and other curves of the figure, instead of points
    bool hidden = false;                     // not drawn: only for expressions
  };

  std::string id;      // "4a"
  std::string number;  // its name in its source: "Figure 4(a)"
  std::string title;
  std::filesystem::path spec;
  bool simulated = true;  // false: computed from the network's structure (compile/structure.h)
  std::optional<SaturationSearch> saturation = {};  // a point is a search for its saturation load, not a run
  Rows rows = Rows::points;
  Drawing drawing = Drawing::lines;
  Axis x;
  Axis y;
  std::vector<Axis> more_y = {};  // panels below the first one, with the same curves
  std::vector<Shade> shades;
  std::vector<std::string> columns;  // of a table, instead of y
  std::vector<CurveSpec> curves;     // in the order of the legend
  // Swept keys and values that choose the points of the figure; the others are not simulated. Empty: all.
  Params where = {};
  std::optional<Document> trace;  // [traffic.trace] without file and format, for a trace of the user
  std::vector<Override> quick;    // for --quick: only shorter times and fewer seeds
  std::string reading = {};  // reading whose settings it uses (papers/paper.h); empty if there is only one
  std::vector<Override> settings = {};
};

// Figures that belong together. A curve has the same style in all of them.
struct FigureSet {
  std::string citation;  // of the source of the figures
  std::vector<FigureSpec> figures;
};

// The value of a swept key; null if it is not swept.
const std::string* param(const Params& params, std::string_view key);
// Whether the point has these values of swept keys.
bool matches(const Params& where, const Point& point);

// A swept value on an axis: a number, or a quantity in its unit.
struct SweptValue {
  double number;
  std::string_view unit;  // "bytes", "ns" or "GB/s"; empty: of a number
};
// nullopt if it is neither.
std::optional<SweptValue> swept_value(std::string_view text);
std::optional<double> number_of(std::string_view text);

// The points of each curve, by index into `points`. Every point must belong to one curve, or to several that
// draw different columns; every curve must have one (only one, unless the rows are points). Otherwise reports
// to `mistakes`.
std::vector<std::vector<std::size_t>> points_of_curves(const FigureSpec& figure,
                                                       const std::vector<Point>& points, Mistakes& mistakes);

// Facts about a result that the result does not contain.
struct Origin {
  int runs = 1;             // number of runs that it combines
  NetworkNames names = {};  // of its network
};

// The curves of a figure from the results of its points, with both axes scaled: those that are drawn in the
// order of the legend, then the hidden ones. `points_of` is the result of points_of_curves. `origins` of the
// results may be missing.
std::vector<Curve> make_curves(const FigureSpec& figure, const std::vector<Point>& points,
                               const std::vector<std::vector<std::size_t>>& points_of,
                               const std::vector<Result>& results, const std::vector<Origin>& origins = {});

}  // namespace headway
