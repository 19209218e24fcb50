// SPDX-License-Identifier: Apache-2.0
// headway saturation: the largest load that each point of a spec sustains.
#include "headway/run/saturation.h"

#include <fmt/format.h>

#include <cstdlib>

#include "headway/cli/collect.h"
#include "headway/cli/spec_arguments.h"

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
  const Experiment experiment = load(arguments, terminal, load_for_search);
  SaturationSearch search;
  search.precision = fraction(arguments, "--precision", search.precision);
  if (search.precision >= 1) throw UsageError("--precision takes the width of an interval of loads, below 1");
  search.share = fraction(arguments, "--share", search.share);
  if (search.share > 1) throw UsageError("--share takes a part of the offered load, at most 1");
  search.times = fraction(arguments, "--times", search.times);
  if (search.times < 1) throw UsageError("--times takes at least 1, the latency at the lowest load");
  if (const auto text = arguments.value("--latency")) {
    search.latency = parse_duration(*text);
    if (!search.latency)
      throw UsageError(fmt::format("--latency takes a time such as \"50 us\", not \"{}\"", *text));
  }
  search.lowest = fraction(arguments, "--lowest", search.lowest);
  if (search.lowest >= 1) throw UsageError("--lowest takes a load below 1");

  Collecting how{.command = "saturation",
                 .method = fmt::format("saturation search: {}", describe(search)),
                 .metrics = kMetrics};
  how.options.run = [&](const Spec& spec, const RunOptions& options) {
    return find_saturation(spec, search, options);
  };
  return collect(experiment, std::move(how), arguments, terminal);
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
        .help = "load at which the search begins, of a nearly empty network; default: 0.01"}});
  for (const Flag& flag : collecting_flags()) flags.push_back(flag);
  return {
      .name = "saturation",
      .summary = "find the load at which a network saturates",
      .description =
          "Finds, for every point of a spec, the largest load that the network sustains: it accepts 0.97 of "
          "what is offered, at no more than 5 times the mean latency of a nearly empty network, and does not "
          "deadlock. Bisection ends with an interval, whose lower end is sustained and whose upper end is "
          "not; the other numbers are those of the run at the lower end. The largest load of the flows is "
          "what is searched for, their proportions are kept; a sweep over it is left out.\n\n"
          "Ctrl-C shows and keeps the points that are finished; twice, it stops at once.",
      .positionals = {spec_positional()},
      .flags = flags,
      .examples = {{"headway saturation my.toml --set switch.scheme=obqa", "instead of a sweep over load"},
                   {"headway saturation my.toml --out out/saturation", "into files, and resumable"}},
      .run = run};
}

}  // namespace headway::cli
