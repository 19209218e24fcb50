// SPDX-License-Identifier: Apache-2.0
// A curve of a figure, and functions that evaluate it. Claims and figures use only curves, so they work in
// the same way for metrics over a swept parameter, time series, bars per destination and rows of a table.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "headway/metrics/result.h"
#include "headway/spec/saturation_search.h"

namespace headway {

struct Curve {
  std::string name = {};   // name in claims
  std::string label = {};  // name in the legend
  std::string y;           // the column that is drawn, and read unless another one is named
  Table columns = {};      // rows by ascending first column, x
  Table intervals = {};    // half widths of the 95 % confidence intervals of the same rows, if there are any
  std::vector<Status> status = {};  // of each row
  bool hidden = false;              // not drawn
};

// The functions below read column `name` of the curve, or its y if `name` is empty. They return NaN if the
// curve has no such column or no such row.

// At x, linear between rows; NaN outside them.
double at(const Curve& curve, double x, std::string_view name = {});
// For the rows with from <= x <= to.
double mean(const Curve& curve, double from, double to, std::string_view name = {});
double lowest(const Curve& curve, double from, double to, std::string_view name = {});
double highest(const Curve& curve, double from, double to, std::string_view name = {});
// `below` counts rows whose value is below the limit. `strays` counts rows with a value other than 0 whose x
// is not listed, and listed rows with the value 0; NaN if a listed x has no row.
double below(const Curve& curve, double limit, std::string_view name = {});
double strays(const Curve& curve, const std::vector<double>& listed, std::string_view name = {});
// The value of the only row; NaN if there are several rows.
double value(const Curve& curve, std::string_view name = {});

// The saturation load: the largest load of a sweep over load with accepted >= 0.97 offered and mean latency
// <= `times` that of the lowest load. The crossing of a limit between two points of the sweep is interpolated
// linearly. A sweep that never saturates returns its last load. The criterion is that of the saturation
// search (run/saturation.h).
double saturation(const Curve& curve, double times = kSaturatedLatency);

}  // namespace headway
