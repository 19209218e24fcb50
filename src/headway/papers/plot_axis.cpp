// SPDX-License-Identifier: Apache-2.0
#include "headway/papers/plot_axis.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "headway/papers/figure.h"

namespace headway {
namespace {

constexpr double kLogarithmicFrom = 20;  // times that values span

struct Span {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void cover(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool empty() const { return low > high; }
  bool is_wide(double times) const { return low > 0 && high > times * low; }
};

// The drawn values, or those of steady points only.
Span span_of(std::span<const Curve> curves, bool steady_only) {
  Span span;
  for (const Curve& curve : curves) {
    const Column* const y = find_column(curve.columns, curve.y);
    const Column* const interval = find_column(curve.intervals, curve.y);
    for (std::size_t row = 0; y != nullptr && row < y->values.size(); ++row) {
      if (steady_only && curve.status[row] != Status::ok) continue;
      span.cover(y->values[row]);
      if (interval != nullptr) span.cover(y->values[row] + interval->values[row]);
    }
  }
  return span;
}

void fit_one(FigureSpec& figure, std::span<const Curve> curves, bool logarithmic,
             std::optional<double> largest) {
  constexpr double kBeyond = 2;  // unsteady points that are only so many times higher stay in the picture
  const Span all = span_of(curves, false), steady = span_of(curves, true);
  const bool follows = !steady.empty() && !is_over_time(figure.rows) && all.high > kBeyond * steady.high &&
                       steady.high > 0 && figure.drawing == Drawing::lines;
  Span shown = follows ? steady : all;
  if (largest) shown.high = *largest;
  if (shown.empty()) return;
  Axis& y = figure.y;
  const bool is_linear = figure.drawing == Drawing::areas || is_over_time(figure.rows);
  y.logarithmic = shown.low > 0 && (logarithmic || (!is_linear && shown.is_wide(kLogarithmicFrom)));
  if (largest)
    y.to = largest;
  else if (follows)
    y.to = y.logarithmic ? shown.high * 2 : shown.high * 1.25;
  y.marks_beyond = y.to.has_value();
  if (y.logarithmic && (y.to || figure.drawing == Drawing::bars))
    y.from = std::pow(10, std::floor(std::log10(shown.low)));
  else if (shown.low >= 0 && !y.logarithmic && (y.to || figure.drawing == Drawing::bars))
    y.from = 0;
}

}  // namespace

void fit_y(FigureSpec& figure, std::span<const Curve> curves, bool logarithmic,
           std::optional<double> largest) {
  for (std::size_t i = 0; i < figure.more_y.size(); ++i) {
    Panel panel = panels_of(figure, curves)[i + 1];
    fit_one(panel.figure, panel.curves, logarithmic, std::nullopt);
    figure.more_y[i] = panel.figure.y;
  }
  fit_one(figure, curves, logarithmic, largest);
}

void fit_x(FigureSpec& figure, std::span<const Curve> curves) {
  const std::string& column = figure.x.column;
  if (figure.rows != Rows::points || !figure.x.names.empty()) return;
  if (!column.ends_with("_ns") && !column.ends_with("_bytes") && !column.starts_with("slowdown")) return;
  Span span;
  for (const Curve& curve : curves)
    if (!curve.columns.empty())
      for (const double x : curve.columns.front().values) span.cover(x);
  figure.x.logarithmic = span.is_wide(kLogarithmicFrom);
}

}  // namespace headway
