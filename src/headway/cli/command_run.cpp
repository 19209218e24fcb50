// SPDX-License-Identifier: Apache-2.0
// headway run: simulates every point of a spec and prints each result when it is available.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <thread>

#include "headway/cli/collect.h"
#include "headway/cli/shard_argument.h"
#include "headway/cli/spec_arguments.h"
#include "headway/compile/machine.h"
#include "headway/run/processes_of_sweep.h"

namespace headway::cli {
namespace {

// The ranks of a machine share its cores and its memory.
void share_machine(SweepOptions& options) {
  const std::uint64_t ranks = ranks_of_machine(variable);
  options.jobs =
      static_cast<unsigned>(std::max<std::uint64_t>(1, std::thread::hardware_concurrency() / ranks));
  options.memory = available_memory() / 10 * 9 / ranks;
}

// Several processes simulate each point together.
int run_together(Collecting how, const Arguments& arguments, Terminal& terminal) {
  Processes& processes = *arguments.processes;
  const SweepEnd end(processes);
  const std::optional<Experiment> experiment =
      share_sweep(processes, [&] { return load(arguments, terminal); });
  if (!experiment) return kFine;
  share_machine(how.options);
  how.options.processes = &processes;
  how.options.threads = how.options.jobs;
  return collect(*experiment, std::move(how), arguments, terminal);
}

// Choice: a warning, because a script of each process can have given it a spec of its own.
void warn_of_copies(const Collecting& how, Terminal& terminal) {
  const std::optional<Shard> rank = rank_of(variable);
  if (how.shard || !rank || rank->of == 1 || rank->number > 1) return;
  terminal.warn(fmt::format(
      "this is the first of {} processes that were started together; each simulates all runs of its command. "
      "With --out DIR --shard auto, each simulates some of the runs; 'mpirun -n N headway-mpi run' simulates "
      "each "
      "run in N processes",
      rank->of));
}

int run_run(const Arguments& arguments, Terminal& terminal) {
  Collecting how{.command = "run"};
  if (const auto shard = arguments.value("--shard")) {
    if (!arguments.has("--out")) throw UsageError("--shard needs --out DIR, into which all shards write");
    if (arguments.has("--json")) throw UsageError("--shard prints no results; leave out --json");
    how.shard = shard_of(*shard, variable);
    if (*shard == "auto") share_machine(how.options);
  }
  how.options.check = arguments.has("--check");
  how.options.skip = !arguments.has("--no-skip");
  if (arguments.processes != nullptr && !how.shard) return run_together(std::move(how), arguments, terminal);
  warn_of_copies(how, terminal);
  const Experiment experiment = load(arguments, terminal);
  return collect(experiment, std::move(how), arguments, terminal);
}

}  // namespace

Command command_run() {
  return {
      .name = "run",
      .place = 20,
      .summary = "simulate every point of a spec",
      .description =
          "Simulates every point of a spec on all cores and prints a row of results for each point as soon "
          "as it is finished. The same spec and seed give byte-identical results for any number of jobs, "
          "threads and processes ('mpirun headway-mpi run', docs/cluster.md).\n\n"
          "If the offered load exceeds what the network accepts, the backlog at the nodes grows. Its memory "
          "usually stays bounded: the nodes store messages of 64 MiB, and at least 32 per destination, and "
          "generate later ones again. Nodes that replay a trace store all their messages.\n\nThe runs share "
          "the free memory; a "
          "run that would exceed its share is stopped, and the others continue.\n\n"
          "Latencies of points that did not reach a steady state are marked. A deadlock is reported with its "
          "location. Ctrl-C stops the command and keeps the finished points; a second Ctrl-C exits "
          "immediately.",
      .positionals = {spec_positional()},
      .flags = joined(
          {spec_flags(),
           collecting_flags(),
           {shard_flag(),
            {.spelled = "--alone",
             .help = "runs each job also alone in the network, and shows how much longer it takes "
                     "beside the other traffic; same as --set measure.alone=true"},
            {.spelled = "--check", .help = "checks the simulator's invariants continuously; slower"},
            {.spelled = "--no-skip",
             .help =
                 "simulates every packet, also in jobs whose traffic repeats itself; slower, with the same "
                 "results"}}}),
      .examples = {{"headway run my.toml", "prints a table of the main metrics"},
                   {"headway run my.toml --set switch.queues=8 --out out/queues8",
                    "changes one key and writes the results to files"},
                   {"headway run my.toml --out out --shard 3/8",
                    "simulates the third of eight parts, beside the other parts on other machines"},
                   {"headway run my.toml --json | jq '.points[].metrics.accepted_load'",
                    "prints JSON for another program"}},
      .run = run_run};
}

}  // namespace headway::cli
