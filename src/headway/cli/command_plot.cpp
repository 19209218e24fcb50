// SPDX-License-Identifier: Apache-2.0
// headway plot: draws the results that another command wrote to a directory.
#include <fmt/format.h>

#include <filesystem>

#include "headway/base/visible.h"
#include "headway/cli/command.h"
#include "headway/cli/parse.h"
#include "headway/papers/figure.h"
#include "headway/papers/plot.h"
#include "headway/run/results_dir.h"

namespace headway::cli {
namespace {

namespace fs = std::filesystem;

int run_plot(const Arguments& arguments, Terminal& terminal) {
  const fs::path directory = *arguments.value("DIR");
  const PlotAxes axes{arguments.value("--x").value_or(""), arguments.value("--y").value_or(""),
                      arguments.value("--table").value_or("")};
  const std::string title = arguments.value("--title").value_or("");
  const Plot plot = make_plot(results_in(directory), axes, title);
  const fs::path out = arguments.value("--out").value_or((directory / "plot").string());
  fs::create_directories(out);
  const Titles titles = title.empty() ? Titles::left_out : Titles::shown;
  const FigureFiles files = write_figure(out, plot.paper, plot.figure(), plot.curves, titles);
  for (const fs::path& file : {files.picture, files.print, files.data})
    if (!file.empty()) terminal.print(visible(file.string()) + '\n');
  if (!files.problem.empty()) terminal.warn(fmt::format("the figure was not drawn: {}", files.problem));
  return files.problem.empty() ? kFine : kFailed;
}

}  // namespace

Command command_plot() {
  return {
      .name = "plot",
      .summary = "draw the results in a directory",
      .description =
          "Draws one metric of the results in DIR, which `headway run`, `saturation` or `paper` wrote. Every "
          "combination of the other swept keys is a curve. Writes figure.svg, figure.pdf, the gnuplot script "
          "figure.gp and data.csv. Points without a known steady state are drawn hollow.",
      .positionals = {{.name = "DIR",
                       .help = "directory with results.json",
                       .completes = Completes::directories}},
      .flags = {{.name = "--x",
                 .value = "KEY",
                 .help =
                     "quantity on the x axis: a swept key, time_ns or destination; default: a swept load"},
                {.name = "--y",
                 .value = "METRIC",
                 .help =
                     "metric on the y axis; default: accepted_load, or network_efficiency if x is time_ns"},
                {.name = "--table",
                 .value = "TABLE",
                 .help = "tree_series draws the size of congestion trees over time, a colour per root; "
                         "pair_series the traffic of source-destination pairs"},
                {.name = "--title", .value = "TEXT", .help = "title above the figure"},
                {.name = "--out",
                 .letter = "-o",
                 .value = "DIR",
                 .help = "directory for the output files; default: DIR/plot",
                 .completes = Completes::directories}},
      .examples = {{"headway plot out/obqa2", "draws the accepted load over the swept load"},
                   {"headway plot out/obqa2 --y latency_mean_ns", "draws another metric"},
                   {"headway plot out/obqa2 --x time_ns", "draws the time series of each point"},
                   {"headway plot out/hot --table tree_series", "draws congestion trees by their roots"}},
      .run = run_plot};
}

}  // namespace headway::cli
