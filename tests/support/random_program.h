// SPDX-License-Identifier: Apache-2.0
// Random jobs: small programs that end, on random nodes, with random rules.
#pragma once

#include <cstdint>
#include <string>

#include "headway/engine/network.h"
#include "headway/engine/workload.h"
#include "tests/support/dice.h"

namespace headway::test {

struct RandomJob {
  std::string description;
  Job job;
};
// The job with this number; the same on every machine. Messages have at most `packets` full packets.
RandomJob random_job(std::uint64_t number, const Network& network, std::uint32_t packets);
// It gets its nodes from a random pool, when enough of them are free.
void let_wait_for_nodes(Job& job, Dice& dice, std::uint32_t nodes);

// The number of cases of a test: the usual one times HEADWAY_SOAK.
std::uint64_t soaked_cases(std::uint64_t usual);
// The same, fewer under a sanitizer.
std::uint64_t cases_of(std::uint64_t usual);

}  // namespace headway::test
