// SPDX-License-Identifier: Apache-2.0
// headway plot: draws the results that another command wrote to a directory.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "headway/base/visible.h"
#include "headway/cli/command.h"
#include "headway/cli/parse.h"
#include "headway/metrics/rows.h"
#include "headway/pictures/figure.h"
#include "headway/pictures/plot.h"
#include "headway/pictures/remedies_plot.h"
#include "headway/pictures/timeline_plot.h"
#include "headway/run/results_dir.h"
#include "headway/why/compared_points.h"

namespace headway::cli {
namespace {

namespace fs = std::filesystem;

PlotAxes axes_of(const Arguments& arguments) {
  const auto text = [&](std::string_view flag) { return arguments.value(flag).value_or(""); };
  PlotAxes axes{.x = text("--x"),
                .y = arguments.values("--y"),
                .table = text("--table"),
                .x_label = text("--xlabel"),
                .log_y = arguments.has("--logy"),
                .y_max = {}};
  if (const auto largest = arguments.value("--ymax")) {
    axes.y_max = headway::number_of(*largest);
    if (!axes.y_max || !(*axes.y_max > 0) || std::isinf(*axes.y_max))
      throw UsageError(fmt::format("--ymax needs a number above 0, or a quantity such as 50us, not \"{}\"",
                                   visible(*largest)));
  }
  if (!arguments.has("--cdf")) return axes;
  for (const std::string_view other : {"--x", "--y", "--table", "--ymax"})
    if (arguments.has(other)) throw UsageError(fmt::format("--cdf chooses the axes; omit {}", other));
  axes.table = "distributions";
  axes.x = text("--cdf");
  axes.y = {"share"};
  axes.y_max = 1;
  return axes;
}

fs::path directory_for(const Arguments& arguments) {
  const fs::path out =
      arguments.value("--out").value_or((fs::path(*arguments.value("DIR")) / "plot").string());
  fs::create_directories(out);
  return out;
}

int tell(const FigureFiles& files, const std::string& note, Terminal& terminal) {
  for (const fs::path& file : {files.picture, files.print, files.data})
    if (!file.empty()) terminal.print(visible(file.string()) + '\n');
  if (!note.empty()) terminal.say(note);
  if (!files.problem.empty()) terminal.warn(fmt::format("the figure was not drawn: {}", files.problem));
  return files.problem.empty() ? kFine : kFailed;
}

int plot_timeline(const Arguments& arguments, Terminal& terminal) {
  for (const std::string_view other : {"--x", "--y", "--table", "--cdf", "--logy", "--ymax"})
    if (arguments.has(other)) throw UsageError(fmt::format("--timeline chooses the axes; omit {}", other));
  const fs::path directory = *arguments.value("DIR");
  const std::string job = *arguments.value("--timeline");
  StoredPoints stored{.directory = directory, .point = {}};
  if (const auto number = arguments.number("--point", 1, kMostPoints)) stored.point = *number - 1;
  const std::vector<PointResult> points = chosen_points(stored);
  if (points.empty()) throw NoResult("there is no finished point");
  if (points.size() > 1)
    terminal.say(fmt::format("{} has {} points; this is the first one, and --point N draws another",
                             visible(directory.string()), points.size()));
  const Timeline timeline = chosen_timeline(points.front(), job);
  const std::string script = timeline_script(timeline, arguments.value("--title").value_or(""),
                                             arguments.value("--xlabel").value_or(""));
  return tell(write_picture(directory_for(arguments), timeline_data(timeline), script), timeline.note,
              terminal);
}

// The first point that has the table; null if none has.
const PointResult* point_with_remedies(const std::vector<PointResult>& points) {
  const auto found = std::ranges::find_if(
      points, [](const PointResult& point) { return rows_of(table_in<RemedyRow>(point.result)) > 0; });
  return found == points.end() ? nullptr : &*found;
}

int plot_remedies(const Arguments& arguments, const PointResult& point, Terminal& terminal) {
  for (const std::string_view other : {"--x", "--y", "--logy", "--ymax"})
    if (arguments.has(other))
      throw UsageError(fmt::format("--table remedies chooses the axes; omit {}", other));
  const RemedyChart chart(point.result);
  const std::string script = remedies_script(chart, arguments.value("--title").value_or(""),
                                             arguments.value("--xlabel").value_or(""));
  const std::string others = chart.others();
  return tell(write_picture(directory_for(arguments), remedies_data(chart), script),
              others.empty() ? "" : fmt::format("not drawn: {}", others), terminal);
}

int run_plot(const Arguments& arguments, Terminal& terminal) {
  if (arguments.has("--timeline")) return plot_timeline(arguments, terminal);
  if (arguments.has("--point")) throw UsageError("--point is for --timeline; a plot has all points");
  const PlotAxes axes = axes_of(arguments);
  const std::string title = arguments.value("--title").value_or("");
  const std::vector<PointResult> points = results_in(*arguments.value("DIR"));
  if (axes.table == RemedyRow::kTable)
    if (const PointResult* const point = point_with_remedies(points))
      return plot_remedies(arguments, *point, terminal);
  const Plot plot = make_plot(points, axes, title);
  const Titles titles = title.empty() ? Titles::left_out : Titles::shown;
  return tell(write_figure(directory_for(arguments), plot.set, plot.figure(), plot.curves, titles), plot.note,
              terminal);
}

}  // namespace

Command command_plot() {
  return {
      .name = "plot",
      .place = 90,
      .summary = "draw the results in a directory",
      .description =
          "Draws a metric of the results in DIR, which `headway run`, `saturation` or `paper` wrote. Every "
          "combination of the other swept keys is a curve; a swept key with names on the x axis gives bars. "
          "Metrics of a flow have its name before theirs: storage.latency_p99_ns. Writes figure.svg, "
          "figure.pdf, the gnuplot script figure.gp and data.csv.\n\nPoints without a known steady state are "
          "drawn hollow. The y axis follows the other points, and arrows show where curves leave it. It is "
          "logarithmic if the values span more than 20 times.",
      .positionals = {{.name = "DIR",
                       .help = "directory with results.json",
                       .completes = Completes::directories}},
      .flags = {{.spelled = "--x NAME",
                 .help =
                     "quantity on the x axis: a swept key, a metric, time_ns, destination, or a column of "
                     "the table; default: a swept load"},
                {.spelled = "--y METRIC",
                 .help =
                     "metric on the y axis; default: accepted_load, or network_efficiency if x is time_ns; "
                     "several make panels below each other",
                 .repeatable = true},
                {.spelled = "--table TABLE",
                 .help = "draws the rows of a table: tree_series, congestion trees over time, a colour per "
                         "root; per_link and roots, the largest by name; flow_series, per_flow and so on"},
                {.spelled = "--cdf COLUMN",
                 .help = "cumulative distribution of latency_ns, network_latency_ns, completion_ns or "
                         "slowdown, with \"distributions\" in measure.tables"},
                {.spelled = "--timeline JOB",
                 .help = "what each rank of a job does over time in its last iteration, with "
                         "\"per-operation\" in measure.tables; with \"critical-path\", also the critical "
                         "path, its waits in red"},
                {.spelled = "--point N", .help = "the point of a sweep, from 1, for --timeline; default: 1"},
                {.spelled = "--logy", .help = "logarithmic y axis"},
                {.spelled = "--ymax NUMBER", .help = "upper end of the y axis"},
                {.spelled = "--xlabel TEXT", .help = "label of the x axis"},
                {.spelled = "--title TEXT", .help = "title above the figure"},
                {.spelled = "-o, --out DIR", .help = "directory for the output files; default: DIR/plot"}},
      .examples = {{"headway plot out/obqa2", "draws the accepted load over the swept load"},
                   {"headway plot out/obqa2 --y latency_mean_ns", "draws another metric"},
                   {"headway plot out/obqa2 --x time_ns", "draws the time series of each point"},
                   {"headway plot out/schemes --x switch.scheme --y storage.latency_p99_ns",
                    "compares the schemes of a sweep by bars"},
                   {"headway plot out/hot --table per_link --y utilisation", "draws the busiest links"},
                   {"headway plot out/hot --table tree_series", "draws congestion trees by their roots"},
                   {"headway plot out/why --table remedies", "draws what changes of a spec gain"},
                   {"headway plot out/training --timeline training --point 2",
                    "draws the ranks of a job over time, at the second point of a sweep"}},
      .run = run_plot};
}

}  // namespace headway::cli
