// SPDX-License-Identifier: Apache-2.0
// A stored program: for every rank, a graph of operations that send, receive and compute (docs/programs.md).
// Files become one. Jobs run it as a CompiledProgram.
//
// Operations of all ranks are numbered together, rank by rank, in the order of the program text.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "headway/base/ids.h"

namespace headway {

// Ranks in groups of `size`, `stride` apart: rank r is member r / stride mod `size` of its group.
struct RankPartition {
  std::uint32_t size = 1, stride = 1;

  friend bool operator==(const RankPartition&, const RankPartition&) = default;

  std::uint32_t member(std::uint32_t rank) const { return rank / stride % size; }
  std::uint32_t first(std::uint32_t rank) const { return rank - member(rank) * stride; }  // of its group
};

// `rule` stands for operations that a formula gives (rule.h). Only compiled programs have it.
enum class ProgramOpKind : std::uint8_t { compute, send, receive, rule };

struct ProgramOp {
  std::uint64_t amount = 0;       // compute: picoseconds; send, receive: bytes; rule: rule << 32 | member
  std::uint32_t partner = kNone;  // send: its receive; receive: its send
  std::uint32_t rank = 0;
  std::uint32_t first_dependent =
      0;  // in Program::dependents; the last one is before that of the next operation
  std::uint32_t requirements =
      0;                    // operations that must be complete, or have started, before this one is ready
  std::uint32_t place = 0;  // line of the file, or number of the record; 0: built in
  ProgramOpKind kind = ProgramOpKind::compute;
  std::uint8_t cpu = 0;
  bool ends_span = false;
};
static_assert(sizeof(ProgramOp) == 32);

// An entry of Program::dependents: an operation of the same rank, by its number within the rank, that
// requires this one.
struct Dependent {
  static constexpr std::uint32_t kOnStart = 1U << 31;  // it requires the start, not the end
  std::uint32_t word = 0;

  std::uint32_t op() const { return word & ~kOnStart; }
  bool on_start() const { return (word & kOnStart) != 0; }
};

// From the start of one operation to the completion of another one of the same rank: results have the
// distribution of these times.
struct ProgramSpan {
  std::uint32_t first = 0, last = 0;
};

struct Program {
  std::vector<ProgramOp> ops;                // [operation], and one more that ends the dependents of the last
  std::vector<std::uint32_t> first_of_rank;  // [rank], and the number of all operations
  std::vector<Dependent> dependents;         // ascending for each operation
  std::vector<ProgramSpan> spans;            // by their last operation

  std::uint32_t ranks() const { return static_cast<std::uint32_t>(first_of_rank.size() - 1); }
  std::uint32_t size() const { return first_of_rank.back(); }
  std::span<const Dependent> dependents_of(std::uint32_t op) const {
    return std::span(dependents)
        .subspan(ops[op].first_dependent, ops[op + 1].first_dependent - ops[op].first_dependent);
  }
  // The number of an operation within its rank.
  std::uint32_t number_in_rank(std::uint32_t op) const { return op - first_of_rank[ops[op].rank]; }
};

}  // namespace headway
