// SPDX-License-Identifier: Apache-2.0
// headway status: how far a sweep is that several processes simulate into a directory.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <ctime>
#include <filesystem>
#include <string>

#include "headway/base/plural.h"
#include "headway/base/visible.h"
#include "headway/cli/command.h"
#include "headway/cli/progress.h"
#include "headway/cluster/sweep_status.h"
#include "headway/compile/load.h"
#include "headway/config/toml.h"

namespace headway::cli {
namespace {

Experiment experiment_in(const std::filesystem::path& directory) {
  const std::filesystem::path spec = directory / "spec.toml";
  const std::string name = visible(directory.string());
  std::error_code error;
  if (!std::filesystem::exists(spec, error))
    throw UsageError(fmt::format("{} has no spec.toml: no command has begun to simulate into it", name));
  if (read_text(spec.string()).starts_with("#"))
    throw UsageError(fmt::format("{} has the results of searches, which have no shards", name));
  return load_experiment(read_toml(spec.string()), {}, {});
}

std::string left_text(double seconds) {
  const std::time_t end = std::time(nullptr) + static_cast<std::time_t>(seconds);
  return fmt::format("{} left, until {:%a %H:%M}", duration_text(std::chrono::duration<double>(seconds)),
                     fmt::localtime(end));
}

std::string what_of(const ShardStatus& shard) {
  if (!shard.last || shard.state == ShardState::done) return "";
  const std::string who = describe(*shard.last);
  switch (shard.state) {
    case ShardState::running:
      return shard.left_s ? fmt::format("{}, {}", who, left_text(*shard.left_s)) : who;
    case ShardState::failed:
      return fmt::format("{}: {}", who, shard.last->end);
    default:
      if (shard.last->end == kEndDone) return who;
      return fmt::format("{} was {}", who, shard.last->end.empty() ? "killed" : kEndInterrupted);
  }
}

// Shards that are done have no row of their own if there are many.
std::string shards_table(const SweepStatus& status) {
  constexpr std::size_t kFew = 32;
  std::string text;
  for (const ShardStatus& shard : status.shards) {
    if (shard.state == ShardState::done && status.shards.size() > kFew) continue;
    const std::string what = what_of(shard);
    text += fmt::format("  {:<10} {:<10} {:<14}", fmt::format("{}/{}", shard.shard.number, shard.shard.of),
                        name_of(shard.state), fmt::format("{} of {}", shard.done, shard.runs)) +
            (what.empty() ? "" : ' ' + visible_lines(what));
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text.empty() ? "" : fmt::format("  {:<10} {:<10} runs\n", "shard", "state") + text;
}

int run_status(const Arguments& arguments, Terminal& terminal) {
  const std::filesystem::path directory = *arguments.value("DIR");
  const Experiment experiment = experiment_in(directory);
  const SweepStatus status = status_of(directory, experiment, std::time(nullptr));
  const std::string name = visible(directory.string());
  std::string text = fmt::format("{}: {} of {} finished", name, status.done, plural(status.runs, "run"));
  if (status.whole_running) text += "; a command without --shard is at work";
  if (!status.shards.empty() && status.done < status.runs && status.left_s && *status.left_s > 0)
    text += fmt::format("; {}", left_text(*status.left_s));
  terminal.print(text + '\n' + shards_table(status));
  if (!status.shards.empty() && status.done == status.runs)
    terminal.print(fmt::format("'headway run SPEC --out {}' now merges the results\n", name));
  return kFine;
}

}  // namespace

Command command_status() {
  return {.name = "status",
          .place = 50,
          .summary = "say how far the shards of a sweep are",
          .description =
              "Says how many runs of the sweep in DIR are finished, and of each shard (headway run --shard) "
              "whether "
              "it is done, runs, was stopped, or failed with which error, and when those that run will "
              "probably end. "
              "It can be called at any time, on any machine that shares DIR, and changes nothing.\n\n"
              "A shard that was killed, stopped or has failed keeps its finished runs. It continues with the "
              "same command, or 'headway run' without --shard simulates the rest.",
          .positionals = {{.name = "DIR",
                           .help = "directory that 'headway run --out DIR' writes",
                           .completes = Completes::directories}},
          .examples = {{"headway status out", "prints a row for every shard"}},
          .run = run_status};
}

}  // namespace headway::cli
