// SPDX-License-Identifier: Apache-2.0
// How jobs come to nodes that they have for themselves (docs/programs.md, "Jobs that wait for nodes").
#pragma once

#include <cstdint>

#include "headway/config/names.h"

namespace headway {

// Which of the jobs that wait get the nodes that are free: the earliest, and no later job takes a node that
// an earlier one waits for; or every job that they are enough for, the earliest first.
enum class Allocation : std::uint8_t { fifo, first_fit };
// The times between the starts of the copies of a job: exponentially distributed, or equal.
enum class JobArrivals : std::uint8_t { poisson, periodic };

constexpr auto names_in_specs(Allocation) { return name_list("fifo", "first-fit"); }
constexpr auto names_in_specs(JobArrivals) { return name_list("poisson", "periodic"); }

}  // namespace headway
