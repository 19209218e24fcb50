// SPDX-License-Identifier: Apache-2.0
// headway why: explains why packets wait, from results or from a spec that it runs first.
#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "headway/base/visible.h"
#include "headway/cli/collect.h"
#include "headway/cli/spec_arguments.h"
#include "headway/run/results_dir.h"
#include "headway/run/why.h"

namespace headway::cli {
namespace {

std::string page_of(const PointResult& point, bool first, bool all) {
  return (first ? "" : "\n") + (all ? why_at_length(point) : why(point));
}

int run_and_tell(const Arguments& arguments, Terminal& terminal) {
  const Experiment experiment = load(arguments, terminal, load_for_why);
  Collecting how{.command = "why"};
  how.page = [first = true, all = arguments.has("--all")](const PointResult& point) mutable {
    return page_of(point, std::exchange(first, false), all);
  };
  return collect(experiment, std::move(how), arguments, terminal);
}

std::vector<Flag> flags_of_specs() {
  std::vector<Flag> flags = spec_flags();
  for (const Flag& flag : collecting_flags()) flags.push_back(flag);
  return flags;
}

int run_why(const Arguments& arguments, Terminal& terminal) {
  const std::filesystem::path place = *arguments.value("SPEC");
  std::error_code error;
  if (!std::filesystem::is_directory(place, error)) return run_and_tell(arguments, terminal);
  for (const Flag& flag : flags_of_specs())
    if (arguments.has(flag.name))
      throw UsageError(
          fmt::format("{} is for a spec; {} is a directory of results", flag.name, visible(place.string())));
  const std::vector<PointResult> points = results_in(place);
  for (const PointResult& point : points)
    terminal.print(page_of(point, &point == &points.front(), arguments.has("--all")));
  return kFine;
}

}  // namespace

Command command_why() {
  return {
      .name = "why",
      .summary = "explain why packets wait",
      .description =
          "Shows for every point where packets wait, and for what: the roots of congestion with their "
          "victims, culprits and congestion trees, where the time of packets goes, how much of it is "
          "head-of-line blocking, and where the time of links goes.\n\n"
          "Reads a directory that `headway run` wrote for a spec with observe.waiting = true. A spec is "
          "simulated first, with observe.waiting set; --out keeps its results. docs/waiting.md defines all "
          "numbers.",
      .positionals =
          {{.name = "SPEC",
            .help = "directory of results, or spec of an experiment; - reads a spec from standard input",
            .completes = Completes::files}},
      .flags = flags_of_specs(),
      .examples = {{"headway why examples/hot.toml", "simulates the spec and explains why packets wait"},
                   {"headway why examples/hot.toml --out out/hot", "keeps the results, too"},
                   {"headway why out/hot", "explains stored results"}},
      .run = run_why};
}

}  // namespace headway::cli
