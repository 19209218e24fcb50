// SPDX-License-Identifier: Apache-2.0
// The gnuplot script of a figure, on a sheet of one column of a paper (sheet.h). This file places title, axis
// labels and legend in points, because gnuplot's own legend has no room for several rows in a picture this
// narrow and differs between formats.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "headway/io/gnuplot.h"
#include "headway/pictures/curve_plots.h"
#include "headway/pictures/figure.h"
#include "headway/pictures/picture_text.h"
#include "headway/pictures/sheet.h"

namespace headway {
namespace {

// In points.
constexpr double kPlot = 135;  // height of the axes
constexpr double kPanel = 92;  // height of the axes of one of several panels
constexpr double kBetweenPanels = 11;

constexpr double kBarMargin = 0.5;  // of bars, at the ends of the axis of x

// Names on the axis of x: level if they fit beside each other, otherwise rotated.
struct NamesOfX {
  bool rotated = false;
  double height = kTicks;  // below the axis
  double reach = 0;        // to the left of the first name's tick

  NamesOfX() = default;
  NamesOfX(const Axis& axis, double length) {
    double widest = 0;
    for (const std::string& name : axis.names) widest = std::max(widest, width_of(name));
    const double room = length / static_cast<double>(std::max<std::size_t>(axis.names.size(), 1));
    rotated = widest + kGap > room;
    if (!rotated) return;
    height = kTicks + kSlope * widest;
    reach = kEdge + kLevel * widest;
  }

  std::string ticks(const Axis& axis) const {
    std::vector<std::string> ticks;
    for (std::size_t i = 0; i < axis.names.size(); ++i)
      ticks.push_back(fmt::format("{} {}", gnuplot_text(axis.names[i]), i));
    return fmt::format("({}){}", fmt::join(ticks, ", "), rotated ? " rotate by 40 right" : "");
  }

 private:
  static constexpr double kSlope = 0.64, kLevel = 0.77;  // sine and cosine of 40 degrees
};

// The values of x if they are a few whole numbers, such as stages or ports, because ticks between them would
// have no meaning.
std::set<double> whole_numbers(std::span<const Curve> curves) {
  constexpr std::size_t kMostTicks = 12;
  std::set<double> numbers;
  for (const Curve& curve : curves)
    for (const double x : xs(curve)) {
      if (x != std::round(x) || numbers.size() > kMostTicks) return {};
      numbers.insert(x);
    }
  return numbers.size() < 2 || numbers.size() > kMostTicks ? std::set<double>{} : numbers;
}

// The ticks whose numbers do not overlap on an axis of this length.
std::vector<double> apart(const Axis& axis, const std::set<double>& ticks, double length) {
  const auto place = [&](double x) { return axis.logarithmic ? std::log(x) : x; };
  const double whole = place(axis.to.value_or(*ticks.rbegin())) - place(axis.from.value_or(*ticks.begin()));
  std::vector<double> kept;
  for (const double tick : ticks)
    if (kept.empty() || (place(tick) - place(kept.back())) / whole * length > 1.2 * kFont)
      kept.push_back(tick);
  return kept;
}

// The distance between ticks at which the numbers of a linear axis of this length are apart; none if those
// that gnuplot chooses, at most ten, are.
std::optional<double> wider_step(const Axis& axis, std::span<const Curve> curves, double length) {
  constexpr double kMostSteps = 10;  // of gnuplot
  double low = axis.from.value_or(INFINITY), high = axis.to.value_or(-INFINITY);
  for (const Curve& curve : curves)
    for (const double x : xs(curve))
      if (std::isfinite(x))
        low = std::min(low, axis.from.value_or(x)), high = std::max(high, axis.to.value_or(x));
  if (!(high > low)) return std::nullopt;
  const auto fits = [&](double step) {
    const double first = std::floor(low / step), last = std::ceil(high / step);  // gnuplot extends the axis
    double widest = 0;
    for (double at = first; at <= last; ++at)
      widest = std::max(widest, width_of(fmt::format("{:g}", at * step)));
    return widest + 2 * kGap <= length / (last - first);
  };
  bool is_finest = true;
  for (double power = std::pow(10, std::floor(std::log10((high - low) / kMostSteps)));; power *= 10)
    for (const double digit : {1, 2, 5}) {
      const double step = digit * power;
      if (step * kMostSteps < (high - low) * (1 - 1e-9)) continue;
      if (fits(step) || step > high - low) return is_finest ? std::nullopt : std::optional(step);
      is_finest = false;
    }
}

std::string range(const Axis& axis) {
  const auto bound = [](const std::optional<double>& value) {
    return value ? fmt::format("{:g}", *value) : "*";
  };
  return fmt::format("[{}:{}]", bound(axis.from), bound(axis.to));
}

std::string x_range(const FigureSpec& figure, const std::set<double>& ticks) {
  Axis axis = figure.x;
  if (!ticks.empty()) {  // a margin beyond the first and last value, but not on a logarithmic axis
    const double first = *ticks.begin(), last = *ticks.rbegin(), margin = 0.03;
    const double factor = axis.logarithmic ? std::pow(last / first, margin) : 0;
    if (!axis.from) axis.from = axis.logarithmic ? first / factor : first - margin * (last - first);
    if (!axis.to) axis.to = axis.logarithmic ? last * factor : last + margin * (last - first);
  }
  if (figure.drawing == Drawing::bars) {  // boxes are centred at their x
    if (axis.from) *axis.from -= kBarMargin;
    if (axis.to) *axis.to += kBarMargin;
  }
  return range(axis);
}

// Below the picture, in as many columns as fit; no legend for a single curve, which the title names. If a
// label needs several lines, there is one column.
class Legend {
 public:
  Legend(std::span<const Curve> curves, const std::vector<Named>& entries) {
    if (curves.size() < 2) return;
    double widest = 0;
    bool one_line_each = true;
    for (const Named& entry : entries) {
      const std::vector<std::string> lines = wrapped(entry.label, kAcross - kSample - kGap);
      one_line_each = one_line_each && lines.size() < 2;
      for (const std::string& line : lines) {
        widest = std::max(widest, width_of(line));
        rows_.push_back({&line == &lines.front() ? std::optional(entry.curve) : std::nullopt, line});
      }
    }
    width_ = kSample + kGap + widest + kBetween;
    const double fit = one_line_each ? std::max(1.0, std::floor((kAcross + kBetween) / width_)) : 1;
    const auto count = static_cast<double>(rows_.size());
    columns_ = static_cast<std::size_t>(std::ceil(count / std::ceil(count / fit)));
  }

  double height() const {
    return rows_.empty()
               ? 0
               : kEdge + kLine * std::ceil(static_cast<double>(rows_.size()) / static_cast<double>(columns_));
  }

  void draw(Sheet& sheet, const std::vector<Style>& styles, Drawing drawing, double top) const {
    const double left = std::max(kEdge, 0.5 * (kWidth - static_cast<double>(columns_) * width_ + kBetween));
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const std::size_t row = i / columns_, column = i % columns_;
      const double x = left + width_ * static_cast<double>(column);
      const double y = top - kLine * (static_cast<double>(row) + 0.5);
      sheet.add("label {} at {} left", gnuplot_text(rows_[i].label), sheet.at(x + kSample + kGap, y));
      if (!rows_[i].curve) continue;
      const Style& look = styles[*rows_[i].curve];
      if (drawing == Drawing::bars || drawing == Drawing::areas) {
        sheet.add("object rectangle from {} to {} fc rgb '{}' fs solid 0.8 noborder",
                  sheet.at(x + 0.5 * kSample, y - 0.3 * kFont), sheet.at(x + kSample, y + 0.3 * kFont),
                  look.colour);
        continue;
      }
      if (drawing == Drawing::lines)
        sheet.add("arrow from {} to {} nohead lc rgb '{}' dt {} lw 1.5", sheet.at(x, y),
                  sheet.at(x + kSample, y), look.colour, look.dash);
      sheet.add("label '' at {} point pt {} lc rgb '{}'", sheet.at(x + 0.5 * kSample, y), look.filled,
                look.colour);
    }
  }

 private:
  struct Row {
    std::optional<std::size_t> curve;  // whose sample precedes the label
    std::string label;
  };
  static constexpr double kBetween = 8;  // of columns
  std::vector<Row> rows_;
  double width_ = 0;  // of a column
  std::size_t columns_ = 1;
};

// Width of the longest number at the y axis, from its range: gnuplot's tick interval is about a fifth of it.
double width_of_ticks(const FigureSpec& figure, std::span<const Curve> curves) {
  double low = figure.y.from.value_or(0), high = figure.y.to.value_or(0);
  const auto cover = [&](std::span<const double> values) {
    for (const double value : values) {
      if (!std::isfinite(value) || value > figure.y.to.value_or(value)) continue;
      if (!figure.y.from) low = std::min(low, value);
      if (!figure.y.to) high = std::max(high, value);
    }
  };
  for (const Curve& curve : curves) cover(ys(curve));
  if (figure.drawing == Drawing::areas)
    for (const std::vector<double>& edges : stacked(curves)) cover(edges);
  const double step = std::max(high - low, 1e-300) / 5, largest = std::max(std::abs(low), std::abs(high));
  const double whole = largest < 10 ? 1 : std::floor(std::log10(largest)) + 1;
  const double finest = figure.y.logarithmic ? low : step;
  const double decimals = finest >= 1 || finest <= 0 ? 0 : std::ceil(-std::log10(finest));
  return 0.56 * kFont * std::min(8.0, whole + (decimals > 0 ? decimals + 0.5 : 0) + (low < 0 ? 1 : 0));
}

// The texts around the axes of a figure, in lines.
struct Texts {
  std::vector<std::string> title, note, x_label, y_label;

  // `plot`: height of the axes.
  Texts(const FigureSpec& figure, bool mark_unsteady, bool mark_beyond, Titles titles, double plot = kPlot)
      : x_label(wrapped(figure.x.label, kAcross - kRight)), y_label(wrapped(figure.y.label, plot)) {
    if (titles == Titles::shown)
      title = wrapped(fmt::format("{}{}{}", figure.number, figure.number.empty() ? "" : ": ", figure.title),
                      kAcross);
    std::string marks = mark_unsteady ? "hollow: not known to be steady" : "";
    if (mark_beyond) marks += fmt::format("{}arrow: above the axis", marks.empty() ? "" : "; ");
    if (!marks.empty()) note = {marks};
  }
};

// Positions of the parts of a figure. From the lower edge up: note, legend, label of x, numbers of x, axes,
// labels above the axes, title.
struct Places {
  double note_top, legend_top, bottom, top, height, left, right;
  NamesOfX names;

  // `above`: height of further panels above these axes, which have the margin `least_left`.
  Places(const FigureSpec& figure, std::span<const Curve> curves, const Texts& texts, const Legend& legend,
         double plot = kPlot, double above = 0, double least_left = 0) {
    const auto lines = [](const std::vector<std::string>& text) {
      return kLine * static_cast<double>(text.size());
    };
    left = kEdge + lines(texts.y_label) + kGap + width_of_ticks(figure, curves) + 4 * kGap;
    left = std::max(left, least_left);
    right = kWidth - kRight;
    names = NamesOfX(figure.x, right - left);
    left = std::max(left, names.reach);
    note_top = kEdge + lines(texts.note);
    legend_top = note_top + legend.height();
    bottom = legend_top + lines(texts.x_label) + names.height;
    top = bottom + plot;
    const double title_from = top + above +
                              (has_cut_bars(figure, curves) ? 2.2 * kLine
                               : figure.shades.empty()      ? kEdge
                                                            : 1.3 * kLine);
    height = title_from + lines(texts.title) + kEdge;
  }
};

// The axes of a panel that is `up` above the lowest one, and the texts around them.
void place_axes(Sheet& sheet, const Places& places, const Texts& texts, double up = 0) {
  sheet.axes(places.left, places.right, places.bottom + up, places.top + up);
  sheet.lines(texts.title, 0.5 * kWidth, places.height - kEdge);
  sheet.lines(texts.x_label, 0.5 * (places.left + places.right), places.bottom - places.names.height);
  sheet.rotated_lines(texts.y_label, kEdge, 0.5 * (places.bottom + places.top) + up);
  sheet.lines(texts.note, 0.5 * kWidth, places.note_top, fmt::format(" tc rgb '{}'", kGrey));
}

void draw_shades(Sheet& sheet, const Places& places, const FigureSpec& figure) {
  for (const Shade& shade : figure.shades) {
    sheet.add(
        "object rectangle from first {:g}, graph 0 to first {:g}, graph 1 behind fc rgb '#E8E8E8' fs solid "
        "noborder",
        shade.from, shade.to);
    sheet.add("label {} at first {:g}, screen {:.4f} center tc rgb '{}'", gnuplot_text(shade.label),
              0.5 * (shade.from + shade.to), (places.top + 0.65 * kLine) / places.height, kGrey);
  }
}

// From a million on, numbers are "1M" instead of gnuplot's "1e+06".
void set_logarithmic(Sheet& sheet, char axis, std::span<const Curve> curves) {
  std::vector<double> values;
  for (const Curve& curve : curves) {
    const std::span<const double> own = axis == 'x' ? xs(curve) : ys(curve);
    values.insert(values.end(), own.begin(), own.end());
  }
  sheet.add("logscale {}", axis);
  if (std::ranges::any_of(values, [](double value) { return value > 1e5; }) &&
      std::ranges::none_of(values, [](double value) { return value < 1; }))
    sheet.add("format {} '%.0s%c'", axis);
}

void set_ranges(Sheet& sheet, const Places& places, const FigureSpec& figure, std::span<const Curve> curves) {
  const std::set<double> ticks = figure.x.names.empty() ? whole_numbers(curves) : std::set<double>{};
  sheet.add("xrange {}", x_range(figure, ticks));
  sheet.add("yrange {}", range(figure.y));
  if (!ticks.empty())
    sheet.add("xtics ({})", fmt::join(apart(figure.x, ticks, places.right - places.left), ", "));
  if (!figure.x.names.empty())
    sheet.add("xtics {}", places.names.ticks(figure.x));
  else if (ticks.empty() && !figure.x.logarithmic)
    if (const auto step = wider_step(figure.x, curves, places.right - places.left))
      sheet.add("xtics {:g}", *step);
  if (figure.x.logarithmic) set_logarithmic(sheet, 'x', curves);
  if (figure.y.logarithmic) set_logarithmic(sheet, 'y', curves);
  if (figure.drawing == Drawing::bars) sheet.add("boxwidth {:.4f}", 0.8 / static_cast<double>(curves.size()));
}

std::string source_of(const FigureSet& set, const FigureSpec& figure) {
  return fmt::format("{} of: {}", figure.number, set.citation);
}

// Panels below each other, with one legend and one axis of x.
std::string script_of_panels(const FigureSet& set, std::vector<Panel> panels, Titles titles) {
  std::ranges::reverse(panels);  // they are placed from the bottom
  const FigureSpec& lowest = panels.front().figure;
  const std::span<const Curve> curves = panels.front().curves;
  const std::vector<Named> entries = entries_of(lowest, curves);
  const Legend legend(curves, entries);
  constexpr double kStep = kPanel + kBetweenPanels;
  const auto has = [&](auto&& shows) {
    return std::ranges::any_of(panels, [&](const Panel& panel) { return shows(panel.figure, panel.curves); });
  };
  const bool unsteady = has(&shows_unsteady), beyond = has(&shows_beyond);
  const auto texts_of = [&](const Panel& panel) {
    return Texts(panel.figure, unsteady, beyond, titles, kPanel);
  };
  double left = 0;
  for (const Panel& panel : panels)
    left = std::max(left, Places(panel.figure, panel.curves, texts_of(panel), legend).left);
  const Places places(lowest, curves, texts_of(panels.front()), legend, kPanel,
                      kStep * static_cast<double>(panels.size() - 1), left);

  std::string data, draw = "set multiplot\n";
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const auto& [figure, its_curves] = panels[i];
    Sheet sheet(places.height);
    draw += "unset label\nunset object\nunset arrow\nunset logscale\nset format '%h'\nset xtics auto\n";
    Texts texts = texts_of(panels[i]);
    if (i > 0) texts.title = texts.x_label = texts.note = {};  // the lowest panel has them
    place_axes(sheet, places, texts, kStep * static_cast<double>(i));
    if (i == 0) legend.draw(sheet, styles_of(set, curves), figure.drawing, places.legend_top - kEdge);
    set_ranges(sheet, places, figure, its_curves);
    if (i > 0) sheet.add("format x ''");
    if (i > 0 && !figure.x.names.empty()) sheet.add("xtics scale 0 ('' 0)");
    const std::size_t first = i * curves.size();
    data += plot_data(figure, its_curves, first);
    draw += sheet.text() + plot_command(set, figure, its_curves, entries_of(figure, its_curves), first);
  }
  draw += "unset multiplot\n";
  return svg_terminal(source_of(set, lowest), places.height) + data + draw +
         pdf_terminal(places.height, draw);
}

}  // namespace

std::string figure_script(const FigureSet& set, const FigureSpec& figure, std::span<const Curve> all,
                          Titles titles) {
  const std::span<const Curve> curves = drawn(all);
  if (!figure.more_y.empty()) return script_of_panels(set, panels_of(figure, curves), titles);
  const std::vector<Named> entries = entries_of(figure, curves);
  const Legend legend(curves, entries);
  const Texts texts(figure, shows_unsteady(figure, curves), shows_beyond(figure, curves), titles);
  const Places places(figure, curves, texts, legend);

  Sheet sheet(places.height);
  place_axes(sheet, places, texts);
  legend.draw(sheet, styles_of(set, curves), figure.drawing, places.legend_top - kEdge);
  draw_shades(sheet, places, figure);
  set_ranges(sheet, places, figure, curves);
  return svg_terminal(source_of(set, figure), places.height) + sheet.text() + plot_data(figure, curves) +
         plot_command(set, figure, curves, entries) + pdf_terminal(places.height);
}

}  // namespace headway
