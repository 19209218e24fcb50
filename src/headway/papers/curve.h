// SPDX-License-Identifier: Apache-2.0
// A curve of a figure, and what can be read off it. Claims and figures know only curves, so they work alike
// for metrics over a swept parameter, time series, bars per destination and rows of a table.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "headway/metrics/result.h"
#include "headway/run/saturation.h"

namespace headway {

struct Curve {
  std::string name;            // as claims call it
  std::string label;           // as the legend calls it
  std::string y;               // the column that is drawn, and read where no other is named
  Table columns;               // rows by ascending first column, x
  Table intervals;             // half widths of 95 % intervals of the same rows, where there are any
  std::vector<Status> status;  // of each row
};

// The column of that name, or nullptr.
const Column* find(const Table& table, std::string_view name);

// What follows reads column `name` of the curve, or its y if `name` is empty. NaN where the curve has no such
// column or no row there.

// At x, linear between rows; NaN outside them.
double at(const Curve& curve, double x, std::string_view name = {});
// Over the rows with from <= x <= to.
double mean(const Curve& curve, double from, double to, std::string_view name = {});
double lowest(const Curve& curve, double from, double to, std::string_view name = {});
double highest(const Curve& curve, double from, double to, std::string_view name = {});
// Rows whose value is below the limit, and rows that have a value other than 0 without being listed by their
// x or are listed without having one; NaN for a listed x that is no row.
double below(const Curve& curve, double limit, std::string_view name = {});
double strays(const Curve& curve, const std::vector<double>& listed, std::string_view name = {});
// Of the only row; NaN if there are several.
double value(const Curve& curve, std::string_view name = {});

// Where the network saturates: the largest load of a sweep over load with accepted >= 0.97 offered and mean
// latency <= `times` that of the lowest load. The limits are crossed between two points of the sweep; the
// load there is linear between them. A sweep that never saturates gives its last load. The criterion is that
// of the saturation search (run/saturation.h).
double saturation(const Curve& curve, double times = kSaturatedLatency);

}  // namespace headway
