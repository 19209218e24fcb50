// SPDX-License-Identifier: Apache-2.0
// Writes figures: tidy CSV, Markdown tables, and pictures by gnuplot.
#include "headway/pictures/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <system_error>

#include "headway/io/atomic_file.h"
#include "headway/io/csv.h"
#include "headway/io/gnuplot.h"
#include "headway/io/markdown.h"
#include "headway/pictures/curve_plots.h"

namespace headway {

std::span<const Curve> drawn(std::span<const Curve> curves) {
  return curves.first(
      static_cast<std::size_t>(std::ranges::find(curves, true, &Curve::hidden) - curves.begin()));
}

std::vector<Panel> panels_of(const FigureSpec& figure, std::span<const Curve> curves) {
  std::vector<Panel> panels = {{figure, {curves.begin(), curves.end()}}};
  panels.front().figure.more_y.clear();
  for (const Axis& y : figure.more_y) {
    Panel& panel = panels.emplace_back(panels.front());
    panel.figure.y = y;
    for (Curve& curve : panel.curves) curve.y = y.shown();
  }
  return panels;
}

std::vector<std::vector<double>> stacked(std::span<const Curve> curves) {
  std::vector<std::vector<double>> edges(curves.size());
  std::vector<double> below;
  for (std::size_t index = curves.size(); index-- > 0;) {
    const Column* const y = find_column(curves[index].columns, curves[index].y);
    below.resize(std::max(below.size(), curves[index].status.size()), 0.0);
    for (std::size_t row = 0; y != nullptr && row < y->values.size(); ++row)
      if (!std::isnan(y->values[row])) below[row] += y->values[row];
    edges[index].assign(below.begin(),
                        below.begin() + static_cast<std::ptrdiff_t>(curves[index].status.size()));
  }
  return edges;
}

namespace {

// The columns of data.csv; `y` names those that the figure shows.
std::string data_head(const FigureSpec& figure, std::span<const std::string> y, bool intervals) {
  std::vector<std::string> cells = {"curve"};
  if (!figure.x.column.empty()) cells.push_back(csv_cell(figure.x.shown()));
  for (const std::string& name : y) cells.push_back(csv_cell(name));
  if (intervals) cells.emplace_back("interval_95");
  if (figure.drawing == Drawing::areas) cells.emplace_back("stacked");
  return fmt::format("{},status\n", fmt::join(cells, ","));
}

// `first`: what every row begins with.
std::string data_rows(const FigureSpec& figure, std::span<const Curve> curves, bool intervals,
                      std::string_view first) {
  const bool areas = figure.drawing == Drawing::areas;
  const std::vector<std::vector<double>> edges = stacked(areas ? drawn(curves) : std::span<const Curve>());
  std::string text;
  std::vector<std::string> cells;
  for (std::size_t index = 0; index < curves.size(); ++index) {
    const Curve& curve = curves[index];
    for (std::size_t row = 0; row < curve.status.size(); ++row) {
      const auto add = [&](const Column* column) {
        cells.push_back(column == nullptr ? "" : csv_cell(column->values[row]));
      };
      cells = {csv_cell(curve.name)};
      if (!figure.x.names.empty())
        cells.push_back(
            csv_cell(figure.x.names[static_cast<std::size_t>(curve.columns.front().values[row])]));
      else if (!figure.x.column.empty())
        add(&curve.columns.front());
      if (figure.drawing == Drawing::table)
        for (const std::string& name : figure.columns) add(find_column(curve.columns, name));
      else
        add(find_column(curve.columns, curve.y));
      if (intervals) add(find_column(curve.intervals, curve.y));
      if (areas) cells.push_back(index < edges.size() ? csv_cell(edges[index][row]) : "");
      text += fmt::format("{}{},{}\n", first, fmt::join(cells, ","), name_of(curve.status[row]));
    }
  }
  return text;
}

// The rows of all panels; the first column names the metric, and `value` has it.
std::string data_of_panels(const std::vector<Panel>& panels) {
  const bool intervals =
      std::ranges::any_of(panels, [](const Panel& panel) { return has_intervals(panel.curves); });
  static const std::string kValue[] = {"value"};
  std::string text = "metric," + data_head(panels.front().figure, kValue, intervals);
  for (const Panel& panel : panels)
    text += data_rows(panel.figure, panel.curves, intervals, csv_cell(panel.figure.y.shown()) + ',');
  return text;
}

}  // namespace

std::string figure_data(const FigureSpec& figure, std::span<const Curve> curves) {
  if (!figure.more_y.empty()) return data_of_panels(panels_of(figure, curves));
  const bool is_table = figure.drawing == Drawing::table, intervals = !is_table && has_intervals(curves);
  const std::string shown[] = {figure.y.shown()};
  return data_head(figure, is_table ? std::span(figure.columns) : std::span(shown), intervals) +
         data_rows(figure, curves, intervals, "");
}

std::string figure_table(const FigureSpec& figure, std::span<const Curve> curves) {
  const bool has_x = !figure.x.column.empty();
  std::vector<std::string> titles = figure.columns;
  if (has_x) titles.insert(titles.begin(), figure.x.label);
  std::string text = "| |", rule = "|---|";
  for (const std::string& title : titles) {
    text += fmt::format(" {} |", markdown_text(title));
    rule += "---|";
  }
  text += "\n" + rule + "\n";
  for (const Curve& curve : drawn(curves)) {
    for (std::size_t row = 0; row < curve.status.size(); ++row) {
      const auto cell = [&](std::string_view name) {
        const Column* column = find_column(curve.columns, name);
        const bool known = column != nullptr && !std::isnan(column->values[row]);
        return known ? fmt::format(" {:g} |", column->values[row]) : std::string(" |");
      };
      text += fmt::format("| {} |", markdown_text(curve.label));
      if (has_x) text += cell(figure.x.shown());
      for (const std::string& name : figure.columns) text += cell(name);
      text += "\n";
    }
  }
  return text;
}

FigureFiles write_picture(const std::filesystem::path& directory, const std::string& data,
                          const std::string& script) {
  FigureFiles files{directory / "data.csv", {}, {}, {}};
  write_file(files.data, data);
  const std::filesystem::path picture = directory / "figure.svg", print = directory / "figure.pdf";
  std::error_code error;
  const auto remove_pictures = [&] {
    for (const auto& file : {picture, print}) std::filesystem::remove(file, error);
  };
  remove_pictures();  // old ones can show other data
  write_file(directory / "figure.gp", script);
  files.problem = run_gnuplot(directory, "figure.gp");
  if (!files.problem.empty()) {
    remove_pictures();  // gnuplot leaves incomplete ones
    return files;
  }
  files.picture = picture;
  if (std::filesystem::exists(print, error)) files.print = print;
  return files;
}

FigureFiles write_figure(const std::filesystem::path& directory, const FigureSet& set,
                         const FigureSpec& figure, std::span<const Curve> curves, Titles titles) {
  const std::string data = figure_data(figure, curves);
  if (figure.drawing != Drawing::table)
    return write_picture(directory, data, figure_script(set, figure, curves, titles));
  const FigureFiles files{directory / "data.csv", directory / "table.md", {}, {}};
  write_file(files.data, data);
  write_file(files.picture, figure_table(figure, curves));
  return files;
}

}  // namespace headway
