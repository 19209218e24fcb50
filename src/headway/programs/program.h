// SPDX-License-Identifier: Apache-2.0
// A stored program: for every rank, a graph of operations that send, receive and compute (docs/programs.md).
// Files become one. Jobs run it as a CompiledProgram.
//
// Operations of all ranks are numbered together, rank by rank, in the order of the program text.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "headway/base/block_vector.h"
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
  std::uint64_t amount = 0;       // compute: picoseconds; send, receive: bytes; rule: the member
  std::uint32_t partner = kNone;  // send: its receive; receive: its send; rule: its number
  std::uint32_t first_dependent =
      0;  // in Program::dependents; the last one is before that of the next operation
  std::uint32_t requirements =
      0;                    // operations that must be complete, or have started, before this one is ready
  std::uint32_t place = 0;  // line of the file, or number of the record; 0: built in
  ProgramOpKind kind = ProgramOpKind::compute;
  std::uint8_t cpu = 0;
  bool ends_span = false;
};

// Operations as a program stores them, in 20 bytes each. If the amount or the number of requirements does not
// fit, both are in a table, with 16 bytes more.
class ProgramOps {
 public:
  static constexpr std::uint64_t kMostAmount = UINT32_MAX;             // without the table
  static constexpr std::uint32_t kMostRequirements = (1U << 20U) - 1;  // without the table

  std::uint32_t size() const { return static_cast<std::uint32_t>(ops_.size()); }
  std::uint64_t bytes() const { return ops_.bytes() + large_.bytes(); }  // of memory

  // Inlined by attribute, because most callers need one member.
  [[gnu::always_inline]] ProgramOp operator[](std::uint32_t op) const {
    const Stored& it = ops_[op];
    const bool is_large = it.is_large != 0;
    return {.amount = is_large ? large_[it.amount].amount : it.amount,
            .partner = it.partner,
            .first_dependent = it.first_dependent,
            .requirements = is_large ? large_[it.amount].requirements : it.requirements,
            .place = it.place,
            .kind = static_cast<ProgramOpKind>(it.kind),
            .cpu = static_cast<std::uint8_t>(it.cpu),
            .ends_span = it.ends_span != 0};
  }
  void push_back(const ProgramOp& op) {
    Stored stored{.partner = op.partner,
                  .first_dependent = op.first_dependent,
                  .place = op.place,
                  .kind = static_cast<std::uint32_t>(op.kind),
                  .cpu = op.cpu,
                  .ends_span = op.ends_span};
    store(stored, op.amount, op.requirements);
    ops_.push_back(stored);
  }
  void set_partner(std::uint32_t op, std::uint32_t partner) { ops_[op].partner = partner; }
  void set_first_dependent(std::uint32_t op, std::uint32_t dependent) {
    ops_[op].first_dependent = dependent;
  }
  void set_requirements(std::uint32_t op, std::uint32_t count) { store(ops_[op], (*this)[op].amount, count); }
  void set_ends_span(std::uint32_t op) { ops_[op].ends_span = 1; }
  void swap(std::uint32_t a, std::uint32_t b) { std::swap(ops_[a], ops_[b]); }

 private:
  struct Stored {
    std::uint32_t amount = 0;  // is_large: an entry of the table
    std::uint32_t partner = kNone, first_dependent = 0, place = 0;
    std::uint32_t requirements : 20 = 0, kind : 2 = 0, cpu : 8 = 0, ends_span : 1 = 0, is_large : 1 = 0;
  };
  static_assert(sizeof(Stored) == 20);
  struct Large {
    std::uint64_t amount = 0;
    std::uint32_t requirements = 0;
  };

  void store(Stored& op, std::uint64_t amount, std::uint32_t requirements) {
    if (op.is_large != 0) {  // it stays in the table
      large_[op.amount] = {amount, requirements};
    } else if (amount <= kMostAmount && requirements <= kMostRequirements) {
      op.amount = static_cast<std::uint32_t>(amount);
      op.requirements = requirements & kMostRequirements;
    } else {
      op.is_large = 1;
      op.amount = static_cast<std::uint32_t>(large_.size());
      large_.push_back({amount, requirements});
    }
  }

  BlockVector<Stored> ops_;
  BlockVector<Large> large_;
};

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
  ProgramOps ops;                            // [operation], and one more that ends the dependents of the last
  std::vector<std::uint32_t> first_of_rank;  // [rank], and the number of all operations
  std::vector<Dependent> dependents;         // ascending for each operation
  std::vector<ProgramSpan> spans;            // by their last operation

  std::uint32_t ranks() const { return static_cast<std::uint32_t>(first_of_rank.size() - 1); }
  std::uint32_t size() const { return first_of_rank.back(); }
  std::span<const Dependent> dependents_of(std::uint32_t op) const {
    return std::span(dependents)
        .subspan(ops[op].first_dependent, ops[op + 1].first_dependent - ops[op].first_dependent);
  }
  bool is_of(std::uint32_t rank, std::uint32_t op) const {
    return first_of_rank[rank] <= op && op < first_of_rank[rank + 1];
  }
  // By a search, which what goes from rank to rank does not need. Choice: it begins where the operation is if
  // all ranks have as many operations as each other, because those of most programs have.
  std::uint32_t rank_of(std::uint32_t op) const {
    const auto even = static_cast<std::uint32_t>(std::uint64_t{op} * ranks() / size());
    if (is_of(even, op)) return even;
    return static_cast<std::uint32_t>(std::ranges::upper_bound(first_of_rank, op) - first_of_rank.begin()) -
           1;
  }
  // The number of an operation within its rank.
  std::uint32_t number_in_rank(std::uint32_t op) const { return op - first_of_rank[rank_of(op)]; }
};

}  // namespace headway
