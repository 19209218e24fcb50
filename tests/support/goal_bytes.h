// SPDX-License-Identifier: Apache-2.0
// Writes programs in the binary form of GOAL, for tests that damage and read it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "headway/programs/program.h"

namespace headway::test {

class GoalBytes {
 public:
  static std::string of(const Program& program, const std::vector<std::uint32_t>& tags) {
    GoalBytes header, ranks;
    header.put(4223, 8);
    header.put(program.ranks(), 4);
    header.put(0x0101, 2);  // CPUs and NICs
    const std::uint64_t table = 4 + 2 + 16 * std::uint64_t{program.ranks()};
    for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
      header.put(table + ranks.bytes_.size(), 8);
      ranks.put_rank(program, tags, rank);
      header.put(table + ranks.bytes_.size(), 8);
    }
    return header.bytes_ + ranks.bytes_;
  }

 private:
  void put(std::uint64_t number, int size) {
    for (int i = 0; i < size; ++i) bytes_ += static_cast<char>(number >> (8 * i) & 0xff);
  }

  void put_rank(const Program& program, const std::vector<std::uint32_t>& tags, std::uint32_t rank) {
    const std::uint32_t first = program.first_of_rank[rank], end = program.first_of_rank[rank + 1];
    GoalBytes ready, records, appendix;
    std::uint32_t entries = 0;
    for (std::uint32_t i = first; i < end; ++i) {
      const ProgramOp op = program.ops[i];
      if (op.requirements == 0) ready.put(i - first, 4);
      records.put(op.requirements, 4);
      records.put(op.kind == ProgramOpKind::compute ? 3 : op.kind == ProgramOpKind::send ? 1 : 2, 1);
      const bool is_compute = op.kind == ProgramOpKind::compute;
      records.put(is_compute ? 0 : program.rank_of(op.partner), 4);
      records.put(is_compute ? op.amount / 1000 : op.amount, 8);
      records.put(tags[i], 4);
      records.put(op.cpu, 1);
      records.put(0, 1);
      for (const bool on_start : {false, true}) {
        std::uint32_t count = 0;
        for (const Dependent dependent : program.dependents_of(i))
          if (dependent.on_start() == on_start) {
            appendix.put(dependent.op(), 4);
            ++count;
          }
        records.put(count, 4);
        records.put(entries, 4);
        entries += count;
      }
    }
    put(end - first, 4);
    put(ready.bytes_.size() / 4, 4);
    bytes_ += ready.bytes_ + records.bytes_ + appendix.bytes_;
  }

  std::string bytes_;
};

}  // namespace headway::test
