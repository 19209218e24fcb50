// SPDX-License-Identifier: Apache-2.0
#include "headway/cli/shard_argument.h"

#include <fmt/format.h>

#include <cstdlib>

#include "headway/base/parse_number.h"

namespace headway::cli {
namespace {

std::optional<std::uint64_t> whole_number(const Variable& variable, const char* name) {
  const auto text = variable(name);
  return text ? parse_number<std::uint64_t>(*text) : std::nullopt;
}

struct Place {
  std::uint64_t number = 0;  // from 0
  std::uint64_t of = 1;
};

// In this order, because srun can start mpirun's helpers. Slurm sets SLURM_PROCID in batch scripts, too, but
// SLURM_STEP_NUM_TASKS only for the tasks of srun.
std::optional<Place> rank(const Variable& variable) {
  constexpr const char* kVariables[][2] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                           {"PMI_RANK", "PMI_SIZE"},
                                           {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}};
  for (const auto& [rank, size] : kVariables) {
    const auto number = whole_number(variable, rank), of = whole_number(variable, size);
    if (number && of && *number < *of) return Place{*number, *of};
  }
  return std::nullopt;
}

std::optional<Place> array_task(const Variable& variable) {
  const auto number = whole_number(variable, "SLURM_ARRAY_TASK_ID");
  if (!number) return std::nullopt;
  const auto count = whole_number(variable, "SLURM_ARRAY_TASK_COUNT"),
             first = whole_number(variable, "SLURM_ARRAY_TASK_MIN"),
             last = whole_number(variable, "SLURM_ARRAY_TASK_MAX");
  if (!count || !first || !last || *last - *first + 1 != *count)
    throw UsageError(
        "--shard auto needs an array without gaps, such as --array=1-8, to know the number of shards; "
        "otherwise say it: --shard \"$SLURM_ARRAY_TASK_ID/8\"");
  return Place{*number - *first, *count};
}

}  // namespace

Flag shard_flag() {
  return {.spelled = "--shard I/N",
          .help =
              "simulates only part I of N of the missing runs; processes with the other parts can run at the "
              "same time, on any machine that shares the directory of --out; 'auto' takes I and N from "
              "the array or the ranks of Slurm, from Open MPI or from PMI; 'headway run' without --shard "
              "then merges the results"};
}

std::optional<std::string> variable(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): before any thread
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

Shard shard_of(std::string_view value, const Variable& variable) {
  if (value != "auto") {
    if (const auto shard = shard_in(value)) return *shard;
    throw UsageError(fmt::format("--shard needs I/N, with I from 1 to N and N at most {}, or auto, not '{}'",
                                 kMostShards, value));
  }
  const auto task = array_task(variable), place = rank(variable);
  if (!task && !place)
    throw UsageError(
        "--shard auto finds neither an array or ranks of Slurm, nor ranks of Open MPI or PMI; --shard I/N "
        "says "
        "which part this process has");
  const Place outer = task.value_or(Place{}), inner = place.value_or(Place{});
  if (outer.of > kMostShards / inner.of)
    throw UsageError(
        fmt::format("--shard auto finds {} array tasks of {} ranks, but at most {} shards are possible",
                    outer.of, inner.of, kMostShards));
  return {outer.number * inner.of + inner.number + 1, outer.of * inner.of};
}

std::optional<Shard> rank_of(const Variable& variable) {
  const auto place = rank(variable);
  return place ? std::optional(Shard{place->number + 1, place->of}) : std::nullopt;
}

// The value of srun is a list such as 4(x2),3: the tasks of each machine. Most have that of the first.
std::uint64_t ranks_of_machine(const Variable& variable) {
  for (const char* const name :
       {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "SLURM_STEP_TASKS_PER_NODE"}) {
    const std::string text = variable(name).value_or("");
    const std::string first = text.substr(0, text.find_first_of("(,"));
    if (const auto ranks = parse_number<std::uint64_t>(first); ranks && *ranks > 0) return *ranks;
  }
  return 1;
}

}  // namespace headway::cli
