// SPDX-License-Identifier: Apache-2.0
#include "headway/pictures/timeline_plot.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "headway/base/error.h"
#include "headway/io/csv.h"
#include "headway/metrics/rows.h"
#include "headway/pictures/plot_words.h"
#include "headway/pictures/sheet.h"

namespace headway {
namespace {

constexpr std::size_t kMostRows = 64;
constexpr double kRowsHeight = 180, kThinRow = 5.5, kThickRow = 14;  // in points
constexpr double kMostMicroseconds = 1e4;                            // beyond, the axis is in milliseconds

// Okabe and Ito's colours, which do not hide the path.
constexpr std::string_view kDoingColours[kDoings] = {"#009E73", "#E69F00", "#56B4E9", "#DDDDDD"};
constexpr std::string_view kPathColour = "#000000", kWaitColour = "#D00000";

// Something that the picture shows: boxes of a colour, or parts of the path.
struct Layer {
  std::string name;  // in the legend
  std::string_view colour;
  double width;           // of the line; 0: boxes
  std::string rows = {};  // of the data
};

std::vector<Layer> layers_of(const Timeline& timeline, double per_unit) {
  std::vector<Layer> layers;
  for (std::size_t i = 0; i < kDoings; ++i)
    layers.push_back({std::string(name_of(static_cast<Doing>(i))), kDoingColours[i], 0});
  layers.push_back({"critical path", kPathColour, 1.5});
  layers.push_back({"waits on it", kWaitColour, 2.2});
  const auto add = [&](Layer& layer, double from, double first_row, double to, double last_row) {
    layer.rows +=
        fmt::format("{:.9g} {:g} {:.9g} {:g}\n", from / per_unit, first_row, to / per_unit, last_row);
  };
  for (const Timeline::Stretch& one : timeline.stretches) {
    const auto row = static_cast<double>(one.row);
    add(layers[static_cast<std::size_t>(one.doing)], one.from, row - 0.4, one.to, row + 0.4);
  }
  for (const Timeline::Step& step : timeline.path) {
    const auto row = static_cast<double>(step.row), last_row = static_cast<double>(step.last_row);
    const double goes_on = step.from + step.waits;
    if (step.waits > 0) add(layers[kDoings + 1], step.from, row, goes_on, row);
    add(layers[kDoings], goes_on, row, step.to, last_row);
  }
  std::erase_if(layers, [](const Layer& layer) { return layer.rows.empty(); });
  return layers;
}

// In two columns below the picture.
void draw_legend(Sheet& sheet, const std::vector<Layer>& layers, double top) {
  const std::size_t half = (layers.size() + 1) / 2;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const double x = kEdge + (i < half ? 0.05 : 0.5) * kAcross;
    const double y = top - kLine * (static_cast<double>(i % half) + 0.5);
    sheet.add("label {} at {} left", gnuplot_text(layers[i].name), sheet.at(x + kSample + kGap, y));
    if (layers[i].width > 0)
      sheet.add("arrow from {} to {} nohead lc rgb '{}' lw {}", sheet.at(x, y), sheet.at(x + kSample, y),
                layers[i].colour, layers[i].width);
    else
      sheet.add("object rectangle from {} to {} fc rgb '{}' fs solid noborder",
                sheet.at(x + 0.5 * kSample, y - 0.3 * kFont), sheet.at(x + kSample, y + 0.3 * kFont),
                layers[i].colour);
  }
}

std::string ticks_of(const std::vector<double>& ranks, double pitch) {
  const auto step = static_cast<std::size_t>(std::ceil(1.1 * kFont / pitch));
  std::vector<std::string> ticks;
  for (std::size_t row = 0; row < ranks.size(); row += step)
    ticks.push_back(fmt::format("\"{}\" {}", ranks[row], row));
  return fmt::format("({})", fmt::join(ticks, ", "));
}

std::string title_of(const Timeline& timeline, std::string_view title) {
  if (timeline.is_whole()) return std::string(title);
  return fmt::format("{}{}{} of {} ranks: those on the critical path first, then the lowest", title,
                     title.empty() ? "" : ", ", timeline.ranks.size(), timeline.all_ranks);
}

std::string plot_of(const std::vector<Layer>& layers) {
  std::vector<std::string> plots;
  for (std::size_t i = 0; i < layers.size(); ++i)
    plots.push_back(layers[i].width > 0
                        ? fmt::format("$layer{} using 1:2:($3-$1):($4-$2) with vectors nohead lw {} lc rgb "
                                      "'{}'",
                                      i, layers[i].width, layers[i].colour)
                        : fmt::format("$layer{} using 1:2:1:3:2:4 with boxxyerror fs solid noborder fc rgb "
                                      "'{}'",
                                      i, layers[i].colour));
  return fmt::format("plot {}\n", fmt::join(plots, ", \\\n  "));
}

}  // namespace

Timeline chosen_timeline(const PointResult& point, std::string_view job) {
  constexpr const char* kKey = "--timeline";
  const std::vector<JobRow> jobs = rows_in<JobRow>(point.result);
  if (table_in<JobRow>(point.result).empty())
    throw SpecError(kKey, "the results have no jobs", "a spec has jobs in [[traffic.job]]");
  plots::Words names;
  for (const JobRow& row : jobs) names.push_back(row.job);
  if (std::ranges::find(names, job) == names.end())
    throw SpecError(kKey, fmt::format("the results have no job '{}'", job), plots::nearest_of(job, names));
  try {
    return make_timeline(point, job, kMostRows);
  } catch (const NoTimeline& reason) {
    throw SpecError(kKey, reason.what(), reason.hint());
  }
}

std::string timeline_data(const Timeline& timeline) {
  std::string text = "part,what,rank,to_rank,start_ns,finish_ns,wait_ns\n";
  for (const Timeline::Stretch& one : timeline.stretches)
    text += fmt::format("rank,{},{},,{},{},\n", name_of(one.doing), csv_cell(timeline.ranks[one.row]),
                        csv_cell(one.from), csv_cell(one.to));
  for (const Timeline::Step& step : timeline.path)
    text += fmt::format("critical path,{},{},{},{},{},{}\n", csv_cell(step.kind),
                        csv_cell(timeline.ranks[step.row]), csv_cell(timeline.ranks[step.last_row]),
                        csv_cell(step.from), csv_cell(step.to), csv_cell(step.waits));
  return text;
}

std::string timeline_script(const Timeline& timeline, std::string_view title, std::string_view x_label) {
  const bool in_ms = timeline.to > 1e3 * kMostMicroseconds;
  const double per_unit = in_ms ? 1e6 : 1e3;
  const std::vector<Layer> layers = layers_of(timeline, per_unit);
  const auto rows = static_cast<double>(timeline.ranks.size());
  const double pitch = std::clamp(kRowsHeight / rows, kThinRow, kThickRow);
  const std::vector<std::string> lines = wrapped(title_of(timeline, title), kAcross);
  const std::string widest = fmt::format("{}", timeline.ranks.back());

  const double legend_top = kEdge + kLine * static_cast<double>((layers.size() + 1) / 2);
  const double x_label_top = legend_top + kEdge + kLine, bottom = x_label_top + kTicks;
  const double top = bottom + pitch * rows;
  const double height = top + 2 * kEdge + kLine * static_cast<double>(lines.size());
  const double left = kEdge + kLine + kGap + width_of(widest) + 3 * kGap, right = kWidth - kRight;

  Sheet sheet(height);
  sheet.axes(left, right, bottom, top);
  sheet.lines(lines, 0.5 * kWidth, height - kEdge);
  sheet.lines({x_label.empty() ? (in_ms ? "time (ms)" : "time (µs)") : std::string(x_label)},
              0.5 * (left + right), x_label_top);
  sheet.rotated_lines({"rank"}, kEdge, 0.5 * (bottom + top));
  draw_legend(sheet, layers, legend_top);
  sheet.add("grid noytics");
  sheet.add("xrange [{:.9g}:{:.9g}]", timeline.from / per_unit, timeline.to / per_unit);
  sheet.add("yrange [{:g}:-0.5]", rows - 0.5);
  sheet.add("ytics {}", ticks_of(timeline.ranks, pitch));

  std::string data;
  for (std::size_t i = 0; i < layers.size(); ++i)
    data += fmt::format("$layer{} << EOD\n{}EOD\n", i, layers[i].rows);
  return svg_terminal(fmt::format("timeline of: {}", timeline.job), height) + sheet.text() + data +
         plot_of(layers) + pdf_terminal(height);
}

}  // namespace headway
