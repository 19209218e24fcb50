// SPDX-License-Identifier: Apache-2.0
// headway submit: submits the shards of a sweep to Slurm.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <optional>

#include "headway/base/plural.h"
#include "headway/base/shell_word.h"
#include "headway/base/visible.h"
#include "headway/cli/collect.h"
#include "headway/cli/progress.h"
#include "headway/cli/spec_arguments.h"
#include "headway/cluster/batch_script.h"
#include "headway/compile/machine.h"
#include "headway/io/atomic_file.h"
#include "headway/run/deal.h"
#include "headway/run/prediction.h"
#include "headway/run/shard_journals.h"
#include "headway/run/sweep.h"

namespace headway::cli {
namespace {

namespace fs = std::filesystem;

constexpr double kHour = 3600;

struct Cost {
  std::size_t runs = 0;       // with SeedsUntil, at least
  std::size_t parts = 0;      // the most shards that have work
  double seconds = 0;         // of one core, for all runs
  double of_longest_run = 0;  // in seconds
  double memory = 0;          // of the run that needs most, in bytes; 0: not known
};

Cost cost_of(const Experiment& experiment) {
  const auto seeds =
      static_cast<std::size_t>(experiment.until ? experiment.until->at_least : experiment.seeds);
  Cost cost{.runs = experiment.points.size() * seeds,
            .parts = experiment.points.size() * (experiment.until ? 1 : seeds)};
  for (const PointCost& point : predict_costs(experiment)) {
    cost.seconds += point.seconds;
    cost.memory = std::max(cost.memory, point.memory);
    cost.of_longest_run = std::max(cost.of_longest_run, point.most_seconds / static_cast<double>(seeds));
  }
  return cost;
}

// About an hour each, but at least eight, and no more than there are parts.
std::uint64_t shards_for(const Cost& cost) {
  constexpr double kLeast = 8, kMost = 500;
  const auto wanted = static_cast<std::uint64_t>(std::clamp(std::ceil(cost.seconds / kHour), kLeast, kMost));
  return std::clamp<std::uint64_t>(cost.parts, 1, wanted);
}

// Three times the guess, in steps of ten minutes, and at least an hour. A task that needs more comes back.
std::uint64_t minutes_for(const Cost& cost, std::uint64_t shards, unsigned cores) {
  const double share = cost.seconds / static_cast<double>(shards * cores);
  return std::max<std::uint64_t>(
      60, 10 * static_cast<std::uint64_t>(std::ceil(3 * std::max(share, cost.of_longest_run) / 600)));
}

// Half as much again as the guess, and room for the shell. What a run of another kernel needs is not
// guessed: it is little.
std::uint64_t memory_for(const Cost& cost, unsigned cores) {
  constexpr double kMiB = 1 << 20, kShell = 64 * kMiB, kNotGuessed = 64 * kMiB;
  return static_cast<std::uint64_t>(kShell + cores * 1.5 * (cost.memory > 0 ? cost.memory : kNotGuessed));
}

std::string hours_text(double seconds) {
  return seconds < kHour
             ? fmt::format("about {} on one core", duration_text(std::chrono::duration<double>(seconds)))
             : fmt::format("about {:.1f} core hours", seconds / kHour);
}

std::string need_text(const Cost& cost) {
  return cost.memory > 0 ? fmt::format("; the largest needs about {}",
                                       memory_text(static_cast<std::uint64_t>(cost.memory)))
                         : "";
}

std::string program_path() {
  std::error_code error;
  const fs::path path = fs::read_symlink("/proc/self/exe", error);
  return error ? "headway" : path.string();
}

std::vector<std::string> spec_words(const Arguments& arguments) {
  std::vector<std::string> words{*arguments.value("SPEC")};
  for (const std::string& setting : arguments.values("--set")) words.insert(words.end(), {"--set", setting});
  if (const auto seed = arguments.value("--seed")) words.insert(words.end(), {"--seed", *seed});
  return words;
}

int run_submit(const Arguments& arguments, Terminal& terminal) {
  const auto out = arguments.value("--out");
  if (!out) throw UsageError("--out DIR is missing: the directory, shared by all nodes, for the results");
  if (*arguments.value("SPEC") == "-") throw UsageError("the tasks of a job cannot read standard input");
  const bool dry = arguments.has("--dry-run");
  if (!dry && !has_sbatch())
    throw UsageError(
        "there is no sbatch here, so there is no Slurm to submit to; --dry-run writes the script only, and "
        "'headway run --shard I/N' simulates a part without Slurm");
  const Experiment experiment = load(arguments, terminal, check_experiment);
  const Cost cost = cost_of(experiment);
  BatchJob job;
  job.cores = static_cast<unsigned>(arguments.number("--jobs", 1, kMaxJobs).value_or(1));
  job.shards = arguments.number("--shards", 1, kMostShards).value_or(shards_for(cost));
  job.written_by = "headway submit " + shell_words(arguments.words());
  job.program = program_path();
  job.folder = fs::current_path().string();
  job.spec = spec_words(arguments);
  job.directory = *out;
  job.what = fmt::format("{}{}, {}{}", experiment.until ? "at least " : "", plural(cost.runs, "run"),
                         hours_text(cost.seconds), need_text(cost));
  job.memory = memory_for(cost, job.cores);
  job.minutes = minutes_for(cost, job.shards, job.cores);
  job.options = arguments.values("SBATCH_OPTION");

  if (const std::string who = at_work_in(*out); !who.empty())
    throw UsageError(
        fmt::format("shards are at work in {} ({}); wait until they end, or scancel their job", *out, who));
  fs::create_directories(fs::path(*out) / "logs");
  const std::string script = (fs::path(*out) / "submit.sh").string();
  write_file(script, batch_script(job));
  terminal.print(fmt::format("{}\n{} of {} and {} each: half as much again, and 64 MiB for the shell\n",
                             job.what, plural(job.shards, "task"), plural(job.cores, "core"),
                             memory_text(job.memory)));
  if (dry) {
    terminal.print(fmt::format("to submit: sbatch {}\n", shell_word(script)));
  } else {
    terminal.flush();
    terminal.print(fmt::format("submitted job {}, by {}\n", submit(script), shell_word(script)));
  }
  terminal.print(fmt::format("to watch:  headway status {0}\nat the end: headway run {1} --out {0}\n",
                             shell_word(*out), shell_words(job.spec)));
  return kFine;
}

}  // namespace

Command command_submit() {
  return {
      .name = "submit",
      .place = 40,
      .summary = "submit a sweep to a cluster with Slurm",
      .description =
          "Checks the spec, predicts the hours and the memory that its runs need, writes the script of an "
          "array "
          "job to DIR/submit.sh, and submits it with sbatch. Each task of the array simulates one part "
          "of the "
          "runs ('headway run --shard'). The script can be read, changed and submitted again: runs that "
          "are finished are not repeated.\n\n"
          "A task that is killed continues where it stopped when Slurm starts it again. 'headway status "
          "DIR' says how far the tasks are. When they are done, 'headway run SPEC --out DIR' merges the "
          "results, which have the same bytes as those of a command on one machine.",
      .positionals = {spec_positional(),
                      {.name = "SBATCH_OPTION",
                       .help = "options of sbatch for the script, such as --partition=long --account=me",
                       .required = false,
                       .rest = true}},
      .flags = joined(
          {spec_flags(),
           {{.spelled = "-o, --out DIR", .help = "directory for the results, which all nodes must share"},
            {.spelled = "--shards N",
             .help = "number of tasks; default: so many that each takes about an hour, at least 8, and "
                     "no more than there are runs"},
            {.spelled = "--jobs N",
             .help = "number of points that a task simulates in parallel, each on a core; default: 1"},
            {.spelled = "--dry-run", .help = "writes the script and submits nothing"}}}),
      .examples = {{"headway submit my.toml --out out --shards 40 -- --partition=long",
                    "submits 40 tasks to a partition of the cluster"},
                   {"headway submit my.toml --out out --dry-run", "only writes out/submit.sh"}},
      .run = run_submit};
}

}  // namespace headway::cli
