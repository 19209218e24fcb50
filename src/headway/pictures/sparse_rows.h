// SPDX-License-Identifier: Apache-2.0
// Curves over the rows of a table of a result. In a sparse table, rows with the same x are added up and
// missing rows are 0; there can be a curve for every value of some columns, such as every root of congestion.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "headway/metrics/metric.h"
#include "headway/pictures/figure_spec.h"

namespace headway {

// The table with these rows; empty for points.
std::string_view table_of(Rows rows);

// Whether a column says what a row is about: a name, or a number that identifies something.
bool identifies(const Metric* column);

// Divides the rows of sparse tables among the curves of a figure.
class SparseRows {
 public:
  explicit SparseRows(const FigureSpec& figure) : figure_(figure) {}

  // The curves of the rows that `spec` selects and no earlier curve of the point with the same column has
  // taken.
  std::vector<Curve> curves(const FigureSpec::CurveSpec& spec, Rows rows, std::size_t point,
                            const Result& result, const Origin& origin);

 private:
  const FigureSpec& figure_;
  std::map<std::string, std::vector<bool>> taken_;  // by point, table and column
};

}  // namespace headway
