// SPDX-License-Identifier: Apache-2.0
// headway saturation: finds the largest load that each point of a spec sustains.
#include "headway/run/saturation.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "headway/cli/collect.h"
#include "headway/cli/spec_arguments.h"
#include "headway/config/row_reader.h"
#include "headway/metrics/metric_names.h"

namespace headway::cli {
namespace {

constexpr std::string_view kSearchMetrics[] = {metrics::saturation_load,      metrics::saturation_load_low,
                                               metrics::saturation_load_high, metrics::saturation_limit,
                                               metrics::accepted_load,        metrics::latency_mean_ns};

double number_of(const Arguments& arguments, std::string_view flag, double standard) {
  const auto text = arguments.value(flag);
  if (!text) return standard;
  const auto value = real_number(*text);
  if (!value) throw UsageError(fmt::format("{} needs a number, not \"{}\"", flag, *text));
  return *value;
}

SaturationSearch search_of(const Arguments& arguments) {
  SaturationSearch search;
  search.precision = number_of(arguments, "--precision", search.precision);
  search.share = number_of(arguments, "--share", search.share);
  search.times = number_of(arguments, "--times", search.times);
  search.lowest = number_of(arguments, "--lowest", search.lowest);
  if (const auto text = arguments.value("--latency")) {
    search.latency = parse_duration(*text);
    if (!search.latency)
      throw UsageError(fmt::format("--latency needs a time such as \"50 us\", not \"{}\"", *text));
  }
  Mistakes mistakes;
  check(search, mistakes);
  std::string problems;
  for (const Mistake& mistake : mistakes.list())
    problems += fmt::format("{}--{} {}", problems.empty() ? "" : "; ", mistake.key, mistake.message);
  if (!problems.empty()) throw UsageError(problems);
  return search;
}

int run_saturation(const Arguments& arguments, Terminal& terminal) {
  const SaturationSearch search = search_of(arguments);
  const auto loader = [&](Document spec, const std::vector<Override>& overrides, const LoadOptions& options) {
    return load_for_search(std::move(spec), search, overrides, options);
  };
  const Experiment experiment = load(arguments, terminal, loader);
  return collect(experiment, {.command = "saturation", .metrics = kSearchMetrics}, arguments, terminal);
}

}  // namespace

Command command_saturation() {
  return {
      .name = "saturation",
      .place = 60,
      .summary = "find the load at which a network saturates",
      .description =
          "Finds, for every point of a spec, the largest load that the network sustains. A load is "
          "sustained if the network accepts at least 0.97 of the offered load, its mean latency is at "
          "most 5 times that of a nearly empty network, and the status of its run is ok. The search "
          "bisects until it has an interval whose lower end is sustained and whose upper end is not; the "
          "other metrics are those of the run at the lower end. The column limited_by says what the upper "
          "end did not meet: share, latency, memory or a status (or \"full load\", if load 1 is "
          "sustained), and saturation_limit the number of share or latency. The search varies the largest "
          "load of the "
          "flows and keeps their ratios; it ignores a sweep over the load.\n\n"
          "Ctrl-C stops the command and keeps and prints the finished points; a second Ctrl-C exits "
          "immediately.",
      .positionals = {spec_positional()},
      .flags = joined(
          {spec_flags(),
           {{.spelled = "--precision X",
             .help = "width of the interval at which the search ends; default: 0.01"},
            {.spelled = "--share X", .help = "minimum accepted fraction of the offered load; default: 0.97"},
            {.spelled = "--times X",
             .help = "maximum ratio of the mean latency to that at the lowest load; default: 5"},
            {.spelled = "--latency TIME", .help = "maximum mean latency, as in 5us; replaces --times"},
            {.spelled = "--lowest X",
             .help = "load at which the search starts, for a nearly empty network; default: 0.01"}},
           collecting_flags()}),
      .examples = {{"headway saturation my.toml --set switch.scheme=obqa",
                    "finds the saturation load without a sweep over the load"},
                   {"headway saturation my.toml --out out/saturation",
                    "writes the results to files; an interrupted search can be continued"}},
      .run = run_saturation};
}

}  // namespace headway::cli
