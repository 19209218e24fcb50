// SPDX-License-Identifier: Apache-2.0
// headway run: simulates every point of a spec and shows the results as they come.
#include "headway/cli/collect.h"
#include "headway/cli/spec_arguments.h"

namespace headway::cli {
namespace {

int run(const Arguments& arguments, Terminal& terminal) {
  const Experiment experiment = load(arguments, terminal);
  Collecting how{.command = "run"};
  how.options.check = arguments.has("--check");
  return collect(experiment, std::move(how), arguments, terminal);
}

}  // namespace

Command command_run() {
  std::vector<Flag> flags = spec_flags();
  for (const Flag& flag : collecting_flags()) flags.push_back(flag);
  flags.push_back({.name = "--check", .help = "verifies the simulator's invariants all the time; slower"});
  return {.name = "run",
          .summary = "simulate every point of a spec",
          .description =
              "Simulates every point of a spec on all cores and prints a row of numbers for each as it is "
              "done. The "
              "same spec and seed give the same bytes, with any number of jobs.\n\n"
              "Where nodes offer more than the network takes, what waits piles up. The runs share the memory "
              "that is free; one that would take more than its share is stopped, and the others go on.\n\n"
              "Latencies of points that did not settle are marked; a deadlock is reported with where it is. "
              "Ctrl-C "
              "keeps what is finished; twice, it stops at once.",
          .positionals = {spec_positional()},
          .flags = flags,
          .examples = {{"headway run my.toml", "a table of the main numbers"},
                       {"headway run my.toml --set switch.queues=8 --out out/queues8",
                        "with one key changed, into files"},
                       {"headway run my.toml --json | jq '.points[].metrics.accepted_load'",
                        "for another program"}},
          .run = run};
}

}  // namespace headway::cli
