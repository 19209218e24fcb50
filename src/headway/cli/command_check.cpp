// SPDX-License-Identifier: Apache-2.0
// headway check: reports all mistakes of a spec at once, and what its runs will take.
#include <fmt/format.h>

#include "headway/base/cpu_time.h"
#include "headway/base/plural.h"
#include "headway/cli/cost_table.h"
#include "headway/cli/spec_arguments.h"
#include "headway/config/toml.h"
#include "headway/run/prediction.h"
#include "headway/run/saturation.h"
#include "headway/run/sweep.h"

namespace headway::cli {
namespace {

std::string seeds_text(const Experiment& experiment) {
  if (experiment.until)
    return fmt::format(" with {} to {} seeds each", experiment.until->at_least, experiment.seeds);
  return experiment.seeds == 1 ? "" : fmt::format(" with {} seeds each", experiment.seeds);
}

Loader loader(const Arguments& arguments) {
  if (!arguments.has("--saturation")) return check_experiment;
  return [](Document spec, const std::vector<Override>& overrides, const LoadOptions& options) {
    return load_for_search(std::move(spec), {}, overrides, options);
  };
}

int run_check(const Arguments& arguments, Terminal& terminal) {
  const Experiment experiment = load(arguments, terminal, loader(arguments));
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
  const bool as_json = arguments.has("--json"), as_table = arguments.has("--cost") && !as_json;
  const bool has_cost = as_json || as_table || terminal.talks();
  Costs costs{.loading = cpu_seconds()};
  if (has_cost) costs.points = predict_costs(experiment);
  if (as_json) terminal.print(cost_json(experiment, costs));
  if (as_table) terminal.print(cost_table(experiment, costs));
  terminal.say(fmt::format("{}: valid, {}{}", *arguments.value("SPEC"),
                           plural(experiment.points.size(), "point"), seeds_text(experiment)));
  if (terminal.talks()) terminal.say(cost_line(experiment, costs));
  return kFine;
}

}  // namespace

Command command_check() {
  std::vector<Flag> flags = spec_flags();
  flags.push_back({.spelled = "--resolved", .help = "prints the spec with all default values filled in"});
  flags.push_back({.spelled = "--cost",
                   .help = "prints the expected processor time and memory of each point and of all points"});
  flags.push_back({.spelled = "--json", .help = "prints the same as a JSON document"});
  flags.push_back({.spelled = "--saturation",
                   .help = "expects 'headway saturation' with its default values instead of 'headway run'"});
  return {
      .name = "check",
      .summary = "find every mistake in a spec",
      .description =
          "Reads a spec and reports all mistakes at once, each with file, line, column, valid values and the "
          "nearest valid name. Builds networks of at most about a million nodes in total. On a terminal, and "
          "with "
          "--cost, it also says how much processor time and memory the runs will take. For this, it "
          "simulates the "
          "first milliseconds of the points, for about two seconds in total. The memory is that of a network "
          "that does "
          "not fill; 'headway run' warns if one that fills needs much more.",
      .positionals = {spec_positional()},
      .flags = flags,
      .examples = {{"headway check my.toml", "silent if the spec is valid and output is not a terminal"},
                   {"headway check my.toml --cost", "how long each point takes, and all of them"},
                   {"headway check my.toml --resolved", "prints the spec with all its default values"}},
      .run = run_check};
}

}  // namespace headway::cli
