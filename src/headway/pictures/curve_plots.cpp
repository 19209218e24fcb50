// SPDX-License-Identifier: Apache-2.0
#include "headway/pictures/curve_plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "headway/io/csv.h"

namespace headway {
namespace {

// Okabe and Ito's palette with its yellow, too pale for lines on white, replaced by grey.
constexpr std::array kColours = {"#000000", "#E69F00", "#CC79A7", "#D55E00",
                                 "#0072B2", "#009E73", "#56B4E9", "#7F7F7F"};
// gnuplot's point types in pairs, filled and open: circle, square, triangle up and down, diamond, pentagon
constexpr std::array kFilled = {7, 5, 9, 11, 13, 15};
constexpr std::array kDashes = {"1", "'-'", "'.-'", "1", "'_'", "1", "'--.'", "'.'"};
constexpr int kMarkersOnDenseCurve = 9;

bool same(const std::vector<double>& a, const std::vector<double>& b) {
  return std::ranges::equal(a, b, [](double left, double right) {
    return left == right || (std::isnan(left) && std::isnan(right));
  });
}

bool identical(const Curve& a, const Curve& b) {
  const Column *ya = find_column(a.columns, a.y), *yb = find_column(b.columns, b.y);
  return ya != nullptr && yb != nullptr && same(ya->values, yb->values) && a.status == b.status &&
         same(a.columns.front().values, b.columns.front().values);
}

constexpr std::string_view kDark = "#303030";

// The conditions under which a row is drawn, as gnuplot expressions of the columns of plot_data.
constexpr std::string_view kAlways = "1", kSteady = "column(3) == 1", kUnsteady = "column(3) == 0";

std::string data_of(std::size_t curve) { return fmt::format("$curve{}", curve); }

// Collects the elements of one plot command.
class Plots {
 public:
  explicit Plots(std::size_t first) : first_(first) {}

  // The rows of a curve for which the condition holds, at x and y, which are gnuplot expressions.
  void add(std::size_t curve, std::string_view x, std::string_view condition, std::string_view y,
           std::string_view how) {
    plots_.push_back(
        fmt::format("{} using {}:({} ? {} : NaN){}", data_of(first_ + curve), x, condition, y, how));
  }
  std::string text() const { return fmt::format("plot {}\n", fmt::join(plots_, ", \\\n     ")); }

 private:
  std::size_t first_;  // number of the first block of data
  std::vector<std::string> plots_;
};

// The y at a share of the axis, which has an end.
double y_at(const Axis& y, double share) {
  const double to = *y.to, from = y.from.value_or(0);
  return y.logarithmic && from > 0 ? from * std::pow(to / from, share) : from + share * (to - from);
}

bool exceeds_axis(const FigureSpec& figure, std::span<const Curve> curves) {
  return figure.y.to && std::ranges::any_of(curves, [&](const Curve& curve) {
           return std::ranges::any_of(ys(curve), [&](double value) { return value > *figure.y.to; });
         });
}

// Rows of the longest curve between the ends of the axis of x.
std::size_t most_rows(const FigureSpec& figure, std::span<const Curve> curves) {
  std::size_t most = 0;
  for (const Curve& curve : curves)
    most = std::max(most, static_cast<std::size_t>(std::ranges::count_if(xs(curve), [&](double x) {
                      return figure.x.from.value_or(x) <= x && x <= figure.x.to.value_or(x);
                    })));
  return most;
}

void add_lines(Plots& plots, const std::vector<Style>& styles, const FigureSpec& figure,
               std::span<const Curve> curves, const std::vector<Named>& entries, bool mark_unsteady) {
  const std::size_t rows = most_rows(figure, curves);
  // dense curves have a marker only every `step` points, at different points for each curve
  const bool dense = figure.drawing == Drawing::lines && rows > 5 * kMarkersOnDenseCurve;
  const std::size_t step = dense ? rows / kMarkersOnDenseCurve : 1;
  const bool intervals = has_intervals(curves);
  for (const Named& entry : entries) {
    const Style& look = styles[entry.curve];
    const auto add = [&](std::string_view condition, const std::string& how) {
      plots.add(entry.curve, "1", condition, "column(2)", how);
    };
    const std::size_t marked = entry.curve * step / curves.size() % step;
    const std::string here = step == 1 ? "" : fmt::format(" && int(column(0)) % {} == {}", step, marked);
    if (figure.drawing == Drawing::lines)
      add(kAlways, fmt::format(" with lines lc rgb '{}' dt {} lw 1.5", look.colour, look.dash));
    if (intervals) add(kAlways, fmt::format(":4 with yerrorbars lc rgb '{}' pt 0", look.colour));
    add(fmt::format("{}{}", mark_unsteady ? kSteady : kAlways, here),
        fmt::format(" with points lc rgb '{}' pt {}", look.colour, look.filled));
    if (!mark_unsteady) continue;
    const std::string unsteady = fmt::format("{}{}", kUnsteady, here);
    add(unsteady, fmt::format(" with points lc rgb 'white' pt {}", look.filled));  // hides the line
    add(unsteady, fmt::format(" with points lc rgb '{}' pt {}", look.colour, look.open));
  }
}

// Arrows at the upper edge where a curve is above the axis: near each other for different curves, not on top
// of each other.
void add_arrows(Plots& plots, const std::vector<Style>& styles, const Axis& y,
                const std::vector<Named>& entries) {
  for (const Named& entry : entries) {
    const double tip = 1 - 0.02 * static_cast<double>(entry.curve % 3), tail = tip - 0.09;
    plots.add(entry.curve, "1", fmt::format("column(2) > {:g}", *y.to), fmt::format("{:g}", y_at(y, tail)),
              fmt::format(":(0):({:g}) with vectors filled head size screen 0.012,25 lc rgb '{}' lw 1.2",
                          y_at(y, tip) - y_at(y, tail), styles[entry.curve].colour));
  }
}

// The first curve of the legend is on top: each area is drawn down to the axis and covers the lower part of
// the areas before it.
void add_areas(Plots& plots, const std::vector<Style>& styles) {
  for (std::size_t index = 0; index < styles.size(); ++index)
    plots.add(index, "1", kAlways, "column(4)",
              fmt::format(" with filledcurves y1=0 fc rgb '{}' fs solid 1 noborder", styles[index].colour));
}

// Boxes side by side: each curve gets an equal part of the unit between two values of x. A box that exceeds
// the axis has a gap and is labelled with its value.
void add_bars(Plots& plots, const std::vector<Style>& styles, const FigureSpec& figure,
              std::span<const Curve> curves, bool mark_unsteady) {
  const double width = 0.8 / static_cast<double>(curves.size());
  const bool mark_cut = exceeds_axis(figure, curves);
  for (std::size_t index = 0; index < curves.size(); ++index) {
    const double offset = (static_cast<double>(index) - 0.5 * static_cast<double>(curves.size() - 1)) * width;
    const std::string x = fmt::format("(column(1) + {:.4f})", offset);
    const std::string_view colour = styles[index].colour;
    plots.add(index, x, mark_unsteady ? kSteady : kAlways, "column(2)",
              fmt::format(" with boxes lc rgb '{}' fs solid 0.8 noborder", colour));
    if (mark_unsteady)
      plots.add(index, x, kUnsteady, "column(2)",
                fmt::format(" with boxes lc rgb '{0}' fs empty border lc rgb '{0}'", colour));
    if (find_column(curves[index].intervals, curves[index].y) != nullptr)
      plots.add(index, x, kAlways, "column(2)", fmt::format(":4 with yerrorbars lc rgb '{}' pt 0", kDark));
    if (!mark_cut) continue;
    const std::string to = fmt::format("{:g}", *figure.y.to), cut = fmt::format("column(2) > {}", to);
    plots.add(
        index, x, cut, to,
        fmt::format(":(column(1) + {:.4f}):(column(1) + {:.4f}):({:g}):({:g}) with boxxyerror fc rgb 'white' "
                    "fs solid noborder",
                    offset - width / 2, offset + width / 2, y_at(figure.y, 0.90), y_at(figure.y, 0.94)));
    plots.add(
        index, x, cut, to,
        fmt::format(":(sprintf('%.3g', column(2))) with labels rotate left offset 0,0.3 tc rgb '{}'", kGrey));
  }
}

}  // namespace

Style style(std::size_t index) {
  const int filled = kFilled[index % kFilled.size()];
  return {kColours[index % kColours.size()], filled, filled - 1, kDashes[index % kDashes.size()]};
}

std::vector<Style> styles_of(const FigureSet& set, std::span<const Curve> curves) {
  std::vector<std::string_view> seen;  // numbered by first appearance
  for (const FigureSpec& figure : set.figures) {
    if (figure.drawing == Drawing::table) continue;
    for (const FigureSpec::CurveSpec& candidate : figure.curves)
      if (std::ranges::find(seen, candidate.name) == seen.end()) seen.push_back(candidate.name);
  }
  std::vector<std::size_t> numbers;
  std::set<std::size_t> used;
  for (const Curve& curve : curves) {
    numbers.push_back(static_cast<std::size_t>(std::ranges::find(seen, curve.name) - seen.begin()));
    if (numbers.back() < seen.size()) used.insert(numbers.back() % kColours.size());
  }
  std::vector<Style> styles;
  std::size_t next = 0;
  for (const std::size_t number : numbers) {
    if (number == seen.size())
      while (used.size() < kColours.size() && used.contains(next % kColours.size())) ++next;
    styles.push_back(style(number < seen.size() ? number : next++));
  }
  return styles;
}

std::span<const double> xs(const Curve& curve) {
  return curve.columns.empty() ? std::span<const double>() : curve.columns.front().values;
}

std::span<const double> ys(const Curve& curve) {
  const Column* y = find_column(curve.columns, curve.y);
  return y == nullptr ? std::span<const double>() : y->values;
}

bool has_intervals(std::span<const Curve> curves) {
  return std::ranges::any_of(
      curves, [](const Curve& curve) { return find_column(curve.intervals, curve.y) != nullptr; });
}

// Returns true if the figure draws a point whose run was not steady. Time series do not mark such points.
bool shows_unsteady(const FigureSpec& figure, std::span<const Curve> curves) {
  if (is_over_time(figure.rows)) return false;
  const bool bars = figure.drawing == Drawing::bars;
  return std::ranges::any_of(curves, [&](const Curve& curve) {
    const std::span<const double> y = ys(curve);
    for (std::size_t row = 0; row < y.size(); ++row)
      if (curve.status[row] != Status::ok && (bars || !figure.y.to || y[row] <= *figure.y.to)) return true;
    return false;
  });
}

std::vector<Named> entries_of(const FigureSpec& figure, std::span<const Curve> curves) {
  const bool stand_alone = figure.drawing == Drawing::bars || figure.drawing == Drawing::areas;
  std::vector<Named> entries;
  for (std::size_t index = 0; index < curves.size(); ++index) {
    const auto hidden_by = std::ranges::find_if(
        entries, [&](const Named& entry) { return identical(curves[entry.curve], curves[index]); });
    if (stand_alone || hidden_by == entries.end())
      entries.push_back({index, curves[index].label});
    else
      hidden_by->label += fmt::format(" = {}", curves[index].label);
  }
  return entries;
}

bool shows_beyond(const FigureSpec& figure, std::span<const Curve> curves) {
  return figure.drawing == Drawing::lines && figure.y.marks_beyond && exceeds_axis(figure, curves);
}

bool has_cut_bars(const FigureSpec& figure, std::span<const Curve> curves) {
  return figure.drawing == Drawing::bars && exceeds_axis(figure, curves);
}

std::string plot_data(const FigureSpec& figure, std::span<const Curve> curves, std::size_t first) {
  const bool areas = figure.drawing == Drawing::areas;
  const std::vector<std::vector<double>> edges = stacked(areas ? curves : std::span<const Curve>());
  std::string text;
  for (std::size_t index = 0; index < curves.size(); ++index) {
    const Curve& curve = curves[index];
    const std::span<const double> y = ys(curve);
    const Column* const interval = areas ? nullptr : find_column(curve.intervals, curve.y);
    text += fmt::format("{} << END\n", data_of(first + index));
    for (std::size_t row = 0; row < curve.status.size(); ++row) {
      const auto number = [](double value) { return std::isnan(value) ? "NaN" : csv_cell(value); };
      text += fmt::format("{} {} {:d}", number(curve.columns.front().values[row]),
                          y.empty() ? "NaN" : number(y[row]), curve.status[row] == Status::ok);
      if (areas) text += ' ' + number(edges[index][row]);
      if (interval != nullptr) text += ' ' + number(interval->values[row]);
      text += '\n';
    }
    text += "END\n";
  }
  return text;
}

std::string plot_command(const FigureSet& set, const FigureSpec& figure, std::span<const Curve> curves,
                         const std::vector<Named>& entries, std::size_t first) {
  const bool mark_unsteady = shows_unsteady(figure, curves);
  const std::vector<Style> styles = styles_of(set, curves);
  Plots plots(first);
  if (figure.drawing == Drawing::bars)
    add_bars(plots, styles, figure, curves, mark_unsteady);
  else if (figure.drawing == Drawing::areas)
    add_areas(plots, styles);
  else
    add_lines(plots, styles, figure, curves, entries, mark_unsteady);
  if (shows_beyond(figure, curves)) add_arrows(plots, styles, figure.y, entries);
  return plots.text();
}

}  // namespace headway
