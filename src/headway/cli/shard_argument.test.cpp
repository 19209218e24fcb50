// SPDX-License-Identifier: Apache-2.0
#include "headway/cli/shard_argument.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace headway::cli {
namespace {

using Variables = std::map<std::string, std::string>;

Variable lookup(const Variables& variables) {
  return [&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  };
}
Shard automatic(const Variables& variables) { return shard_of("auto", lookup(variables)); }

const Variables kTaskFive{{"SLURM_ARRAY_TASK_ID", "5"},  {"SLURM_ARRAY_TASK_MIN", "1"},
                          {"SLURM_ARRAY_TASK_MAX", "8"}, {"SLURM_ARRAY_TASK_COUNT", "8"},
                          {"SLURM_PROCID", "0"},         {"SLURM_NTASKS", "4"}};

TEST(ShardArgument, ANumberAndTheNumberOfAll) {
  const auto nothing = [](const char*) -> std::optional<std::string> { return std::nullopt; };
  EXPECT_EQ(shard_of("3/8", nothing), (Shard{3, 8}));
  EXPECT_THROW(shard_of("0/8", nothing), UsageError);
  EXPECT_THROW(shard_of("auto", nothing), UsageError);
}

TEST(ShardArgument, RanksAndArraysAreFound) {
  EXPECT_EQ(automatic({{"OMPI_COMM_WORLD_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "4"}}), (Shard{1, 4}));
  EXPECT_EQ(automatic({{"PMI_RANK", "3"}, {"PMI_SIZE", "4"}}), (Shard{4, 4}));
  EXPECT_EQ(automatic({{"SLURM_PROCID", "2"}, {"SLURM_STEP_NUM_TASKS", "3"}}), (Shard{3, 3}));
  EXPECT_EQ(automatic(kTaskFive), (Shard{5, 8}));
  Variables from_zero = kTaskFive;
  from_zero["SLURM_ARRAY_TASK_MIN"] = "0";
  from_zero["SLURM_ARRAY_TASK_MAX"] = "7";
  EXPECT_EQ(automatic(from_zero), (Shard{6, 8}));
}

// A batch script has SLURM_PROCID and SLURM_NTASKS, but its command is one process.
TEST(ShardArgument, ABatchScriptWithoutSrunHasNoRanks) {
  EXPECT_THROW(automatic({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}}), UsageError);
}

TEST(ShardArgument, RanksWithinAnArrayAreMultiplied) {
  Variables both = kTaskFive;
  both["SLURM_STEP_NUM_TASKS"] = "4";
  both["SLURM_PROCID"] = "1";
  EXPECT_EQ(automatic(both), (Shard{18, 32}));
}

// With --array=3,5 the number of tasks is not the number of shards of the first submission.
TEST(ShardArgument, AnArrayWithGapsIsRefused) {
  Variables gaps = kTaskFive;
  gaps["SLURM_ARRAY_TASK_COUNT"] = "2";
  EXPECT_THROW(automatic(gaps), UsageError);
}

TEST(ShardArgument, RanksShareTheirMachine) {
  EXPECT_EQ(ranks_of_machine([](const char*) { return std::nullopt; }), 1U);
  EXPECT_EQ(ranks_of_machine([](const char* name) {
              return std::string_view(name) == "SLURM_STEP_TASKS_PER_NODE"
                         ? std::optional<std::string>("3(x2),1")
                         : std::nullopt;
            }),
            3U);
  EXPECT_EQ(ranks_of_machine([](const char* name) {
              return std::string_view(name) == "OMPI_COMM_WORLD_LOCAL_SIZE" ? std::optional<std::string>("4")
                                                                            : std::nullopt;
            }),
            4U);
}

TEST(ShardArgument, ProcessesThatWereStartedTogetherAreFound) {
  const auto of = [](const Variables& variables) { return rank_of(lookup(variables)); };
  EXPECT_EQ(of({{"OMPI_COMM_WORLD_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "4"}}), (Shard{1, 4}));
  EXPECT_EQ(of({{"SLURM_PROCID", "2"}, {"SLURM_STEP_NUM_TASKS", "3"}}), (Shard{3, 3}));
  EXPECT_EQ(of(kTaskFive), std::nullopt);
}

}  // namespace
}  // namespace headway::cli
