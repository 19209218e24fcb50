// SPDX-License-Identifier: Apache-2.0
// Every operation of a compiled program as a stored one, made one at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "headway/programs/compiled_program.h"

namespace headway::test {

inline Program stored(const CompiledProgram& compiled) {
  Program program;
  program.first_of_rank = {0};
  for (std::uint32_t rank = 0; rank < compiled.ranks(); ++rank)
    program.first_of_rank.push_back(program.first_of_rank.back() + compiled.operations(rank));
  for (std::uint32_t rank = 0; rank < compiled.ranks(); ++rank)
    for (std::uint32_t number = 0; number < compiled.operations(rank); ++number) {
      const RankOp it = compiled.operation({rank, number});
      program.ops.push_back(
          {.amount = it.amount,
           .partner = it.kind == ProgramOpKind::compute ? kNone : program.first_of_rank[it.peer] + it.partner,
           .first_dependent = static_cast<std::uint32_t>(program.dependents.size()),
           .requirements = it.requirements,
           .place = compiled.place({rank, number}),
           .kind = it.kind,
           .cpu = it.cpu,
           .ends_span = it.ends_span});
      for (std::uint32_t i = 0; i < it.dependents; ++i)
        program.dependents.push_back(it.consecutive ? Dependent{it.first_dependent + i}
                                                    : compiled.dependent(it.first_dependent + i));
      const std::uint32_t first = program.first_of_rank[rank];
      compiled.for_each_span({rank, number}, [&](std::uint32_t begin) {
        program.spans.push_back({first + begin, first + number});
      });
    }
  program.ops.push_back({.first_dependent = static_cast<std::uint32_t>(program.dependents.size())});
  return program;
}

}  // namespace headway::test
