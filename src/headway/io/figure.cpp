// SPDX-License-Identifier: Apache-2.0
// Writing figures: tidy CSV, a gnuplot script, and a call of gnuplot.
#include "headway/io/figure.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <set>
#include <sstream>
#include <system_error>

#include "headway/io/atomic_file.h"

namespace headway {
namespace {

// Okabe and Ito's palette with its yellow, too pale for lines on white, replaced by grey.
constexpr std::array kColours = {"#000000", "#E69F00", "#CC79A7", "#D55E00",
                                 "#0072B2", "#009E73", "#56B4E9", "#7F7F7F"};
// gnuplot's point types in pairs, filled and open: circle, square, triangle up and down, diamond, pentagon
constexpr std::array kFilled = {7, 5, 9, 11, 13, 15};
constexpr std::array kDashes = {"1", "'-'", "'.-'", "1", "'_'", "1", "'--.'", "'.'"};
constexpr int kMarkersOnDenseCurve = 12;
constexpr double kBarMargin = 0.5;

struct Style {
  std::string colour;
  int filled;
  int open;
  std::string dash;
};

Style style(std::size_t index) {
  const int filled = kFilled[index % kFilled.size()];
  return {kColours[index % kColours.size()], filled, filled - 1, kDashes[index % kDashes.size()]};
}

// A curve looks the same in all drawings of a paper: styles are numbered by first appearance.
std::size_t style_index(const Paper& paper, std::string_view curve) {
  std::vector<std::string_view> seen;
  for (const FigureSpec& figure : paper.figures) {
    if (figure.drawing == Drawing::table) continue;
    for (const FigureSpec::CurveSpec& candidate : figure.curves) {
      const auto known = std::ranges::find(seen, candidate.name);
      if (candidate.name == curve) return static_cast<std::size_t>(known - seen.begin());
      if (known == seen.end()) seen.push_back(candidate.name);
    }
  }
  return seen.size();
}

// For a string of gnuplot in double quotes, whose enhanced mode gives _ ^ { } @ & a meaning.
std::string gnuplot_string(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (std::string_view("_^{}@&").find(c) != std::string_view::npos) result += "\\\\";
    result += c;
  }
  return result + '"';
}

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\n") == std::string_view::npos) return std::string(text);
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"') result += '"';
    result += c;
  }
  return result + '"';
}

std::string csv_number(double number) { return std::isnan(number) ? "" : fmt::format("{}", number); }

// The values of x if they are few whole numbers, such as stages or ports: ticks between them would mean
// nothing.
std::set<double> whole_numbers(std::span<const Curve> curves) {
  constexpr std::size_t kMostTicks = 12;
  std::set<double> numbers;
  for (const Curve& curve : curves)
    if (!curve.columns.empty())
      for (const double x : curve.columns.front().values) {
        if (x != std::round(x) || numbers.size() > kMostTicks) return {};
        numbers.insert(x);
      }
  return numbers.size() < 2 || numbers.size() > kMostTicks ? std::set<double>{} : numbers;
}

std::string range(const Axis& axis) {
  const auto bound = [](const std::optional<double>& value) {
    return value ? fmt::format("{:g}", *value) : "*";
  };
  return fmt::format("[{}:{}]", bound(axis.from), bound(axis.to));
}

std::string x_range(const FigureSpec& figure, const std::set<double>& ticks) {
  Axis axis = figure.x;
  if (!ticks.empty()) {  // a little beyond the first and last, but no decade of a logarithm
    const double first = *ticks.begin(), last = *ticks.rbegin(), margin = 0.03;
    const double factor = axis.logarithmic ? std::pow(last / first, margin) : 0;
    if (!axis.from) axis.from = axis.logarithmic ? first / factor : first - margin * (last - first);
    if (!axis.to) axis.to = axis.logarithmic ? last * factor : last + margin * (last - first);
  }
  if (figure.drawing == Drawing::bars) {  // boxes stand around their x
    if (axis.from) *axis.from -= kBarMargin;
    if (axis.to) *axis.to += kBarMargin;
  }
  return range(axis);
}

bool has_intervals(std::span<const Curve> curves) {
  return std::ranges::any_of(curves,
                             [](const Curve& curve) { return find(curve.intervals, curve.y) != nullptr; });
}

// Whether a point that is drawn did not settle.
bool shows_saturated(const FigureSpec& figure, std::span<const Curve> curves) {
  for (const Curve& curve : curves) {
    const Column* y = find(curve.columns, curve.y);
    if (y == nullptr) continue;
    for (std::size_t row = 0; row < curve.status.size(); ++row)
      if (curve.status[row] != Status::ok && (!figure.y.to || y->values[row] <= *figure.y.to)) return true;
  }
  return false;
}

std::string line_plots(const Paper& paper, std::span<const Curve> curves, bool mark_saturated) {
  std::size_t rows = 0;
  for (const Curve& curve : curves) rows = std::max(rows, curve.status.size());
  // a dense curve carries a marker every so many points, elsewhere on each curve
  const std::size_t step = rows > 5 * kMarkersOnDenseCurve ? rows / kMarkersOnDenseCurve : 1;
  const bool intervals = has_intervals(curves);

  std::vector<std::string> plots;
  std::size_t row_before = 0;  // column(0) counts the rows of all curves
  for (std::size_t index = 0; index < curves.size(); ++index) {
    const Curve& curve = curves[index];
    const Style look = style(style_index(paper, curve.name));
    const std::string name = gnuplot_string(curve.name);
    const std::string colour = fmt::format("lc rgb '{}'", look.colour);
    const std::size_t marked = (row_before + index * step / curves.size()) % step;
    const std::string here = step == 1 ? "" : fmt::format(" && int(column(0)) % {} == {}", step, marked);
    const auto add = [&](std::string_view rows_drawn, std::string_view how) {
      plots.push_back(fmt::format("data using 2:({} ? column(3) : NaN){}", rows_drawn, how));
    };
    add(fmt::format("of({})", name), fmt::format(" with lines {} dt {} lw 2", colour, look.dash));
    if (intervals) add(fmt::format("of({})", name), fmt::format(":4 with yerrorbars {} pt 0", colour));
    add(fmt::format("{}({}){}", mark_saturated ? "settled" : "of", name, here),
        fmt::format(" with points {} pt {}", colour, look.filled));
    if (mark_saturated)
      add(fmt::format("open({}){}", name, here), fmt::format(" with points {} pt {}", colour, look.open));
    plots.push_back(fmt::format("keyentry with linespoints {} dt {} lw 2 pt {} title {}", colour, look.dash,
                                look.filled, gnuplot_string(curve.label)));
    row_before += curve.status.size();
  }
  return fmt::format("plot {}\n", fmt::join(plots, ", \\\n     "));
}

// Boxes side by side: each curve gets its share of the unit between two values of x.
std::string bar_plots(const Paper& paper, std::span<const Curve> curves) {
  std::vector<std::string> plots;
  const double width = 0.8 / static_cast<double>(curves.size());
  for (std::size_t index = 0; index < curves.size(); ++index) {
    const double offset = (static_cast<double>(index) - 0.5 * static_cast<double>(curves.size() - 1)) * width;
    plots.push_back(fmt::format(
        "data using (column(2) + {:.4f}):(of({}) ? column(3) : NaN) with boxes lc rgb '{}' title {}", offset,
        gnuplot_string(curves[index].name), style(style_index(paper, curves[index].name)).colour,
        gnuplot_string(curves[index].label)));
  }
  return fmt::format("set boxwidth {:.4f}\nset style fill solid 0.8 noborder\nplot {}\n", width,
                     fmt::join(plots, ", \\\n     "));
}

// Runs gnuplot on figure.gp in `directory`. Returns what went wrong, or nothing.
std::string draw(const std::filesystem::path& directory) {
  const std::filesystem::path log = directory / "gnuplot.log";
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  posix_spawn_file_actions_addchdir_np(&actions, directory.c_str());
  std::array<char*, 3> arguments = {const_cast<char*>("gnuplot"), const_cast<char*>("figure.gp"), nullptr};
  pid_t child = 0;
  const int error = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);

  std::string problem;
  if (error != 0) {
    problem = error == ENOENT ? "gnuplot is not installed" : std::generic_category().message(error);
  } else {
    int status = 0;
    while (waitpid(child, &status, 0) == -1 && errno == EINTR) {
    }
    if (status != 0) {
      std::ostringstream said;
      said << std::ifstream(log).rdbuf();
      problem = fmt::format("gnuplot failed: {}", said.str());
    }
  }
  std::error_code ignored;
  std::filesystem::remove(log, ignored);
  return problem;
}

}  // namespace

std::string figure_data(const FigureSpec& figure, std::span<const Curve> curves) {
  const bool intervals = figure.drawing != Drawing::table && has_intervals(curves);
  std::vector<std::string> names = figure.columns;
  if (figure.drawing != Drawing::table) names = {figure.y.shown()};

  std::vector<std::string> cells = {"curve"};
  if (!figure.x.column.empty()) cells.push_back(csv_field(figure.x.shown()));
  for (const std::string& name : names) cells.push_back(csv_field(name));
  if (intervals) cells.emplace_back("interval_95");
  std::string text = fmt::format("{},status\n", fmt::join(cells, ","));
  for (const Curve& curve : curves) {
    for (std::size_t row = 0; row < curve.status.size(); ++row) {
      const auto add = [&](const Column* column) {
        cells.push_back(column == nullptr ? "" : csv_number(column->values[row]));
      };
      cells = {csv_field(curve.name)};
      if (!figure.x.column.empty()) add(&curve.columns.front());
      if (figure.drawing == Drawing::table)
        for (const std::string& name : names) add(find(curve.columns, name));
      else
        add(find(curve.columns, curve.y));
      if (intervals) add(find(curve.intervals, curve.y));
      text += fmt::format("{},{}\n", fmt::join(cells, ","), to_string(curve.status[row]));
    }
  }
  return text;
}

std::string figure_script(const Paper& paper, const FigureSpec& figure, std::span<const Curve> curves) {
  // what a search has found is sustained, whatever the backlog of its run
  const bool mark_saturated =
      figure.rows == Rows::points && !figure.saturation && shows_saturated(figure, curves);
  const std::set<double> ticks = whole_numbers(curves);
  std::string text = fmt::format(
      "# {} of: {}\n"
      "# Draws figure.svg from data.csv: gnuplot figure.gp\n"
      "set terminal svg size 960,540 font 'Helvetica,15' background rgb 'white' dynamic\n"
      "set output 'figure.svg'\n"
      "data = 'data.csv'\n"
      "set datafile separator comma\n"
      "of(name) = strcol('curve') eq name\n"
      "set key outside right center vertical Left reverse spacing 1.4 samplen 3 noautotitle\n"
      "set border 3 lc rgb '#404040'\n"
      "set tics nomirror out scale 0.5\n"
      "set grid lc rgb '#DDDDDD' dt 1\n"
      "set pointsize 0.7\n",
      figure.number, paper.citation);
  text += fmt::format("set title {}\n", gnuplot_string(fmt::format("{}: {}", figure.number, figure.title)));
  text += fmt::format("set xlabel {}\nset ylabel {}\n", gnuplot_string(figure.x.label),
                      gnuplot_string(figure.y.label));
  text += fmt::format("set xrange {}\nset yrange {}\n", x_range(figure, ticks), range(figure.y));
  if (!ticks.empty()) text += fmt::format("set xtics ({})\n", fmt::join(ticks, ", "));
  if (figure.x.logarithmic) text += "set logscale x\n";
  if (figure.y.logarithmic) text += "set logscale y\n";
  for (const Shade& shade : figure.shades) {
    text += fmt::format(
        "set object rectangle from first {:g}, graph 0 to first {:g}, graph 1 behind fc rgb '#E8E8E8' "
        "fs solid noborder\n",
        shade.from, shade.to);
    text += fmt::format("set label {} at first {:g}, graph 1.03 center tc rgb '#606060' font ',13'\n",
                        gnuplot_string(shade.label), 0.5 * (shade.from + shade.to));
  }
  if (mark_saturated)
    text +=
        "settled(name) = of(name) && strcol('status') eq 'ok'\n"
        "open(name) = of(name) && strcol('status') ne 'ok'\n"
        "set xlabel offset 0,-0.5\n"
        "set label 'open markers: saturated, values grow with the length of the run' at graph 0, screen 0.02 "
        "tc rgb '#606060' font ',12'\n"
        "set bmargin 5\n";
  text +=
      figure.drawing == Drawing::bars ? bar_plots(paper, curves) : line_plots(paper, curves, mark_saturated);
  return text;
}

std::string figure_table(const FigureSpec& figure, std::span<const Curve> curves) {
  const bool has_x = !figure.x.column.empty();
  std::string text = "| |";
  std::string rule = "|---|";
  if (has_x) {
    text += fmt::format(" {} |", figure.x.label);
    rule += "---|";
  }
  for (const std::string& name : figure.columns) {
    text += fmt::format(" {} |", name);
    rule += "---|";
  }
  text += "\n" + rule + "\n";
  for (const Curve& curve : curves) {
    for (std::size_t row = 0; row < curve.status.size(); ++row) {
      const auto cell = [&](std::string_view name) {
        const Column* column = find(curve.columns, name);
        const bool known = column != nullptr && !std::isnan(column->values[row]);
        return known ? fmt::format(" {:g} |", column->values[row]) : std::string(" |");
      };
      text += fmt::format("| {} |", curve.label);
      if (has_x) text += cell(figure.x.shown());
      for (const std::string& name : figure.columns) text += cell(name);
      text += "\n";
    }
  }
  return text;
}

FigureFiles write_figure(const std::filesystem::path& directory, const Paper& paper, const FigureSpec& figure,
                         std::span<const Curve> curves) {
  FigureFiles files{directory / "data.csv", {}, {}};
  write_file(files.data, figure_data(figure, curves));
  if (figure.drawing == Drawing::table) {
    files.picture = directory / "table.md";
    write_file(files.picture, figure_table(figure, curves));
    return files;
  }
  write_file(directory / "figure.gp", figure_script(paper, figure, curves));
  files.problem = draw(directory);
  if (files.problem.empty()) files.picture = directory / "figure.svg";
  return files;
}

}  // namespace headway
