// SPDX-License-Identifier: Apache-2.0
// headway saturation: the largest load that each point of a spec sustains.
#include "headway/experiment/saturation.h"

#include <fmt/format.h>

#include <cstdlib>

#include "headway/cli/interrupt.h"
#include "headway/cli/progress.h"
#include "headway/cli/results_table.h"
#include "headway/cli/spec_arguments.h"
#include "headway/experiment/sweep.h"
#include "headway/io/document_json.h"
#include "headway/io/results.h"

namespace headway::cli {
namespace {

constexpr std::string_view kMetrics[] = {"saturation_load", "saturation_load_low", "saturation_load_high",
                                         "accepted_load", "latency_mean_ns"};

double fraction(const Arguments& arguments, std::string_view flag, double standard) {
  const auto text = arguments.value(flag);
  if (!text) return standard;
  char* end = nullptr;
  const double value = std::strtod(text->c_str(), &end);
  if (*end != '\0' || text->empty() || !(value > 0))
    throw UsageError(fmt::format("{} takes a number above 0, not \"{}\"", flag, *text));
  return value;
}

int run(const Arguments& arguments, Terminal& terminal) {
  const Experiment experiment = load(arguments, load_for_search);
  SaturationSearch search;
  search.precision = fraction(arguments, "--precision", search.precision);
  search.share = fraction(arguments, "--share", search.share);
  search.times = fraction(arguments, "--times", search.times);
  if (const auto text = arguments.value("--latency")) {
    search.latency = parse_duration(*text);
    if (!search.latency) throw UsageError(fmt::format("--latency takes a time, not \"{}\"", *text));
  }
  search.lowest = fraction(arguments, "--lowest", search.lowest);
  if (search.lowest >= 1) throw UsageError("--lowest takes a load below 1");

  std::vector<std::vector<Result>> runs(experiment.points.size());
  for (auto& of_point : runs) of_point.resize(static_cast<std::size_t>(experiment.seeds));
  SweepOptions options;
  options.jobs = static_cast<unsigned>(arguments.number("--jobs", 1, kMaxJobs).value_or(0));
  options.cancelled = &catch_interrupts();
  options.run = [&](const Spec& spec, const RunOptions& run_options) {
    return find_saturation(spec, search, run_options);
  };
  options.on_result = [&](const Task& task, Result result) {
    runs[task.point][static_cast<std::size_t>(task.repetition)] = std::move(result);
  };
  if (terminal.talks())
    options.on_progress = [&](const SweepProgress& now) { terminal.progress(progress_text(now)); };
  const bool complete = run_sweep(experiment, options);
  terminal.progress("");
  if (!complete) return kInterrupted;

  std::vector<PointResult> points;
  for (std::size_t point = 0; point < runs.size(); ++point)
    points.push_back(make_point_result(experiment.points[point], std::move(runs[point])));
  if (arguments.has("--json")) {
    terminal.print(results_json(to_json(experiment.document), points));
    return kFine;
  }
  ResultsTable table(experiment, kMetrics);
  terminal.print(table.header());
  for (const PointResult& point : points) terminal.print(table.row(point, terminal));
  return kFine;
}

}  // namespace

Command command_saturation() {
  std::vector<Flag> flags = spec_flags();
  flags.insert(
      flags.end(),
      {{.name = "--precision",
        .value = "X",
        .help = "width of the interval that ends the search; default: 0.01"},
       {.name = "--share",
        .value = "X",
        .help = "part of the offered load that must be accepted; default: 0.97"},
       {.name = "--times",
        .value = "X",
        .help = "mean latency allowed, over that at the lowest load; default: 5"},
       {.name = "--latency", .value = "TIME", .help = "mean latency allowed, as in 5us, in place of --times"},
       {.name = "--lowest",
        .value = "X",
        .help = "load at which the search begins, of a nearly empty network; default: 0.01"},
       {.name = "--jobs", .value = "N", .help = "points searched at once; default: one per core"},
       {.name = "--json", .help = "prints one JSON document instead of a table"}});
  return {
      .name = "saturation",
      .summary = "find the load at which a network saturates",
      .description =
          "Finds, for every point of a spec, the largest load that the network sustains: it accepts 0.97 of "
          "what is offered, at no more than 5 times the mean latency of a nearly empty network, and does not "
          "deadlock. Bisection ends with an interval, whose lower end is sustained and whose upper end is "
          "not; the other numbers are those of the run at the lower end. The largest load of the flows is "
          "what is searched for, their proportions are kept; a sweep over it is left out.",
      .positionals = {spec_positional()},
      .flags = flags,
      .examples = {{"headway saturation my.toml --set switch.scheme=obqa", "instead of a sweep over load"}},
      .run = run};
}

}  // namespace headway::cli
