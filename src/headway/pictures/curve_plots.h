// SPDX-License-Identifier: Apache-2.0
// How the curves of a figure look: their styles, their names in the legend, and the plot command of the
// gnuplot script (figure_script.cpp).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "headway/pictures/figure.h"

namespace headway {

inline constexpr std::string_view kGrey = "#606060";

struct Style {
  std::string_view colour;
  int filled;
  int open;
  std::string_view dash;
};

// The style of a curve by its place in the legend.
Style style(std::size_t index);
// A curve that the set names has the same style in all its figures. Other curves, one per value of a
// column, get the remaining styles.
std::vector<Style> styles_of(const FigureSet& set, std::span<const Curve> curves);

// An entry of the legend: a curve, and the curves that are identical to it.
struct Named {
  std::size_t curve;
  std::string label;
};
std::vector<Named> entries_of(const FigureSpec& figure, std::span<const Curve> curves);

// The values of x, and those that a curve draws; empty if it has none.
std::span<const double> xs(const Curve& curve);
std::span<const double> ys(const Curve& curve);

bool has_intervals(std::span<const Curve> curves);
bool shows_unsteady(const FigureSpec& figure, std::span<const Curve> curves);
// Returns true if an arrow marks where a curve is above the axis.
bool shows_beyond(const FigureSpec& figure, std::span<const Curve> curves);
bool has_cut_bars(const FigureSpec& figure, std::span<const Curve> curves);

// The rows of the curves, for plot_command: a block of text per curve, with the columns x, y, 1 for a steady
// run or 0, and the upper edge of an area, or half of the confidence interval if there is one. It contains
// numbers only: gnuplot's own reading of CSV breaks at a comma or a quote in the name of a curve.
// `first`: the number of the first block; every panel of a figure has blocks of its own.
std::string plot_data(const FigureSpec& figure, std::span<const Curve> curves, std::size_t first = 0);
std::string plot_command(const FigureSet& set, const FigureSpec& figure, std::span<const Curve> curves,
                         const std::vector<Named>& entries, std::size_t first = 0);

}  // namespace headway
