// SPDX-License-Identifier: Apache-2.0
// --shard I/N, or `auto`: the number of this process among those that a cluster's scheduler or mpirun started
// together, from the variables that these set.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "headway/cli/command.h"
#include "headway/run/deal.h"

namespace headway::cli {

Flag shard_flag();

// The value of a variable of the environment.
using Variable = std::function<std::optional<std::string>(const char* name)>;
std::optional<std::string> variable(const char* name);

// Throws UsageError. `auto` multiplies the tasks of a Slurm array by the ranks of mpirun, PMI or srun.
Shard shard_of(std::string_view value, const Variable& variable);

// The place of this process among those that Open MPI, PMI or srun has started together; none if unknown.
std::optional<Shard> rank_of(const Variable& variable);
// How many processes the ranks of this machine are, so that they share its cores and memory; 1 if unknown.
std::uint64_t ranks_of_machine(const Variable& variable);

}  // namespace headway::cli
