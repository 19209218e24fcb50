// SPDX-License-Identifier: Apache-2.0
// headway why: tells why packets wait, from results or from a spec that it runs first.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "headway/base/visible.h"
#include "headway/cli/collect.h"
#include "headway/cli/interrupt.h"
#include "headway/cli/progress.h"
#include "headway/cli/spec_arguments.h"
#include "headway/cli/stored_results.h"
#include "headway/run/collection.h"
#include "headway/run/why.h"

namespace headway::cli {
namespace {

constexpr std::string_view kWaiting = "observe.waiting";

Experiment load_observed(Document spec, const std::vector<Override>& overrides) {
  std::vector<Override> all{{std::string(kWaiting), Document(true, std::string(kWaiting))}};
  all.insert(all.end(), overrides.begin(), overrides.end());
  return load_experiment(std::move(spec), all);
}

// Results without photographs tell nothing about waiting.
void print(const PointResult& point, bool first, Terminal& terminal) {
  if (!has_waiting(point.result))
    throw UsageError(
        fmt::format("these results have no photographs; simulate again with --set {}=true", kWaiting));
  terminal.print((first ? "" : "\n") + why(point));
  terminal.flush();
}

int run_and_tell(const Arguments& arguments, Terminal& terminal) {
  const Experiment experiment = load(arguments, terminal, load_observed);
  Collection collection(experiment);
  bool first = true;
  collection.on_point = [&](const PointResult& point) {
    terminal.progress("");
    print(point, std::exchange(first, false), terminal);
  };
  SweepOptions options;
  options.jobs = static_cast<unsigned>(arguments.number("--jobs", 1, kMaxJobs).value_or(0));
  options.cancelled = &catch_interrupts();
  options.on_plan = [&](const SweepPlan& plan) {
    if (!plan.warning.empty()) terminal.warn(plan.warning);
  };
  if (terminal.talks())
    options.on_progress = [&](const SweepProgress& now) { terminal.progress(progress_text(now)); };
  const bool complete = collection.run(options);
  terminal.progress("");
  return complete ? kFine : kInterrupted;
}

int run(const Arguments& arguments, Terminal& terminal) {
  const std::filesystem::path place = *arguments.value("SPEC");
  std::error_code error;
  if (!std::filesystem::is_directory(place, error)) return run_and_tell(arguments, terminal);
  for (const std::string_view flag : {"--set", "--seed", "--jobs"})
    if (arguments.has(flag))
      throw UsageError(
          fmt::format("{} is for a spec; {} is a directory of results", flag, visible(place.string())));
  const std::vector<PointResult> points = results_in(place);
  for (const PointResult& point : points) print(point, &point == &points.front(), terminal);
  return kFine;
}

}  // namespace

Command command_why() {
  std::vector<Flag> flags = spec_flags();
  const std::vector<Flag> collecting = collecting_flags();
  flags.push_back(*std::ranges::find(collecting, "--jobs", &Flag::name));
  return {
      .name = "why",
      .summary = "tell why packets wait",
      .description =
          "Tells for every point where packets wait and what for: the roots of congestion with their "
          "victims, "
          "culprits and congestion trees, where the time of packets goes, how much of it is head-of-line "
          "blocking, and where the time of links goes.\n\n"
          "Reads a directory that `headway run` wrote for a spec with observe.waiting = true. A spec is "
          "simulated first, with observe.waiting set; its results are not kept. docs/waiting.md defines all "
          "numbers.",
      .positionals =
          {{.name = "SPEC",
            .help = "directory of results, or spec of an experiment; - reads a spec from standard input",
            .completes = Completes::files}},
      .flags = flags,
      .examples = {{"headway why hot.toml", "simulates the spec and tells why packets wait"},
                   {"headway run hot.toml --set observe.waiting=true --out out/hot",
                    "keeps the results in a directory"},
                   {"headway why out/hot", "tells it from there"}},
      .run = run};
}

}  // namespace headway::cli
