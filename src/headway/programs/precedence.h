// SPDX-License-Identifier: Apache-2.0
// What a program's operations wait for, as a graph (docs/programs.md, "Operations" to "Announced messages").
// Its vertices are the start and the completion of every operation. A receive completes after the start of
// its send, and an announced send after the start of its receive.
#pragma once

#include <cstdint>
#include <vector>

#include "headway/programs/program.h"

namespace headway {

class Precedence {
 public:
  // Sends of more than `rendezvous` bytes are announced.
  explicit Precedence(const Program& program, std::uint64_t rendezvous = UINT64_MAX)
      : program_(program), rendezvous_(rendezvous) {}

  static std::uint32_t op_of(std::uint64_t vertex) { return static_cast<std::uint32_t>(vertex / 2); }
  static bool is_start(std::uint64_t vertex) { return vertex % 2 == 0; }

  // Calls visit(next) for every vertex that waits for this one.
  template <class Visit>
  void for_each_after(std::uint64_t vertex, Visit&& visit) const {
    const std::uint32_t op = op_of(vertex);
    if (const auto dependents = program_.dependents_of(op); !dependents.empty()) {
      const std::uint32_t first = program_.first_of_rank[program_.rank_of(op)];
      for (const Dependent dependent : dependents)
        if (dependent.on_start() == is_start(vertex)) visit(start(first + dependent.op()));
    }
    if (!is_start(vertex)) return;
    const ProgramOp it = program_.ops[op];
    visit(completion(op));
    if (it.kind == ProgramOpKind::send || (it.kind == ProgramOpKind::receive && is_announced(it.partner)))
      visit(completion(it.partner));
  }

  // Calls visit(vertex, next) for every next vertex that waits for a vertex, after all calls for those that
  // the vertex waits for. Returns, for each vertex, for how many it still waits: all are 0 unless there is a
  // cycle.
  template <class Visit>
  std::vector<std::uint32_t> visit_in_order(Visit&& visit) const {
    const std::uint32_t n = program_.size();
    std::vector<std::uint32_t> open(std::size_t{n} * 2);
    for (std::uint32_t op = 0; op < n; ++op) {
      const ProgramOp it = program_.ops[op];
      open[start(op)] = it.requirements;
      open[completion(op)] =
          1 + (it.kind == ProgramOpKind::receive) + (it.kind == ProgramOpKind::send && is_announced(op));
    }
    std::vector<std::uint64_t> ready;  // few, because what begins is followed before the next one begins
    for (std::uint32_t op = 0; op < n; ++op) {
      if (program_.ops[op].requirements == 0) ready.push_back(start(op));
      while (!ready.empty()) {
        const std::uint64_t vertex = ready.back();
        ready.pop_back();
        for_each_after(vertex, [&](std::uint64_t next) {
          visit(vertex, next);
          if (--open[next] == 0) ready.push_back(next);
        });
      }
    }
    return open;
  }

 private:
  static std::uint64_t start(std::uint32_t op) { return std::uint64_t{op} * 2; }
  static std::uint64_t completion(std::uint32_t op) { return std::uint64_t{op} * 2 + 1; }
  bool is_announced(std::uint32_t send) const { return program_.ops[send].amount > rendezvous_; }

  const Program& program_;
  std::uint64_t rendezvous_;
};

}  // namespace headway
