// SPDX-License-Identifier: Apache-2.0
// headway check: reports all mistakes of a spec at once and simulates nothing.
#include <fmt/format.h>

#include "headway/cli/spec_arguments.h"
#include "headway/config/toml.h"
#include "headway/run/sweep.h"

namespace headway::cli {
namespace {

std::string seeds_text(const Experiment& experiment) {
  if (experiment.until)
    return fmt::format(" with {} to {} seeds each", experiment.until->at_least, experiment.seeds);
  return experiment.seeds == 1 ? "" : fmt::format(" with {} seeds each", experiment.seeds);
}

int run_check(const Arguments& arguments, Terminal& terminal) {
  const Experiment experiment = load(arguments, terminal, check_experiment);
  if (!experiment.whole)
    terminal.warn(
        "'headway check' builds networks of at most about a million nodes in total; routes and queues of the "
        "others are checked when they run");
  SweepOptions one_at_a_time;
  one_at_a_time.jobs = 1;
  one_at_a_time.memory = machine_memory();
  if (const SweepPlan plan = plan_sweep(experiment, one_at_a_time, 1); !plan.warning.empty())
    terminal.warn(plan.warning);
  if (arguments.has("--resolved")) {
    terminal.print(write_toml(experiment.document));
    return kFine;
  }
  const std::size_t points = experiment.points.size();
  terminal.say(fmt::format("{}: valid, {} point{}{}", *arguments.value("SPEC"), points,
                           points == 1 ? "" : "s", seeds_text(experiment)));
  return kFine;
}

}  // namespace

Command command_check() {
  std::vector<Flag> flags = spec_flags();
  flags.push_back({.name = "--resolved", .help = "prints the spec with all default values filled in"});
  return {
      .name = "check",
      .summary = "find every mistake in a spec",
      .description =
          "Reads a spec and reports all mistakes at once, each with file, line, column, valid values and the "
          "nearest valid name. Simulates nothing. Builds networks of at most about a million nodes in total.",
      .positionals = {spec_positional()},
      .flags = flags,
      .examples = {{"headway check my.toml", "silent if the spec is valid and output is not a terminal"},
                   {"headway check my.toml --resolved", "prints the spec with all its default values"}},
      .run = run_check};
}

}  // namespace headway::cli
