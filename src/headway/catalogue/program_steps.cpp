// SPDX-License-Identifier: Apache-2.0
#include "headway/catalogue/program_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "headway/base/units.h"
#include "headway/catalogue/names.h"
#include "headway/config/assign.h"
#include "headway/programs/kind.h"
#include "headway/programs/precedence.h"

namespace headway::catalogue {
namespace {

constexpr std::uint32_t kShownRanks = 4;

bool has_segments(ProgramKind& kind) {
  return std::ranges::any_of(parameter_rows([&](Parameters& parameters) { kind.describe(parameters); }),
                             [](const ParameterRow& row) { return row.name == "segment"; });
}

// The programs of the family that need no file and have no parts, once for every algorithm.
std::vector<std::pair<std::string, Choice<ProgramKind>>> variants() {
  std::vector<std::pair<std::string, Choice<ProgramKind>>> all;
  for (const Entry<ProgramKind>& entry : programs()) {
    const auto of_algorithm = [&](std::string_view algorithm) {
      Choice<ProgramKind> kind{entry.make(), entry.name};
      if (!algorithm.empty()) assign(*kind, {"algorithm", std::string(algorithm)});
      if (algorithm == "hierarchical") assign(*kind, {"ranks_per_group", kShownRanks / 2});
      if (algorithm == "in-network" && has_segments(*kind)) assign(*kind, {"segment", Bytes{1 << 30}});
      Mistakes mistakes;
      if (!kind->ranks()) kind->check(kShownRanks, mistakes);
      if (!mistakes.empty() || kind->can_stand_still()) return;
      all.emplace_back(
          algorithm.empty() ? std::string(entry.name) : fmt::format("{}, {}", entry.name, algorithm),
          std::move(kind));
    };
    Choice<ProgramKind> kind{entry.make(), entry.name};
    std::vector<std::string_view> algorithms = {""};
    for (const ParameterRow& row :
         parameter_rows([&](Parameters& parameters) { kind->describe(parameters); }))
      if (row.name == "algorithm") algorithms = row.names;
    for (const std::string_view algorithm : algorithms) of_algorithm(algorithm);
  }
  return all;
}

// [operation] the step in which it begins, if every message takes a step and nothing else takes time. A
// receive is in the step of its send.
std::vector<std::uint32_t> steps_of(const Program& program) {
  std::vector<std::uint32_t> steps(std::size_t{program.size()} * 2);  // [vertex]
  const auto is_send = [&](std::uint64_t vertex) {
    return program.ops[Precedence::op_of(vertex)].kind == ProgramOpKind::send;
  };
  Precedence(program).visit_in_order([&](std::uint64_t vertex, std::uint64_t next) {
    const bool ends = Precedence::is_start(vertex) && !Precedence::is_start(next);
    steps[next] = std::max(steps[next], steps[vertex] + (ends && is_send(vertex) ? 1 : 0));
  });
  std::vector<std::uint32_t> of_op(program.size());
  for (std::uint32_t op = 0; op < program.size(); ++op) {
    const ProgramOp it = program.ops[op];
    of_op[op] = steps[std::size_t{it.kind == ProgramOpKind::receive ? it.partner : op} * 2];
  }
  return of_op;
}

// Ranks from `ranks` on are aggregators of switches.
std::string name_of_rank(std::uint32_t rank, std::uint32_t ranks) {
  return rank < ranks ? std::to_string(rank) : "switch";
}

std::string text_of(const Program& program, const ProgramOp& it, std::uint32_t ranks) {
  const std::string bytes = to_string(Bytes{static_cast<std::int64_t>(it.amount)});
  const std::string cpu = it.cpu == 0 ? "" : fmt::format(" on CPU {}", it.cpu);
  if (it.kind == ProgramOpKind::compute)
    return fmt::format("{} ns{}", static_cast<double>(it.amount) / 1000, cpu);
  return fmt::format("{} {}: {}{}", it.kind == ProgramOpKind::send ? "→" : "←",
                     name_of_rank(program.rank_of(it.partner), ranks), bytes, cpu);
}

std::string table_of(const Program& program, std::uint32_t ranks) {
  constexpr std::uint32_t kMostSteps = 12;
  const std::vector<std::uint32_t> steps = steps_of(program);
  const std::uint32_t all = steps.empty() ? 0 : std::ranges::max(steps) + 1;
  std::string text = "\n| step |";
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
    text += fmt::format(" {}{} |", rank < ranks ? "rank " : "", name_of_rank(rank, ranks));
  text += "\n|---|";
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) text += "---|";
  text += '\n';
  for (std::uint32_t step = 0; step < std::min(all, kMostSteps); ++step) {
    text += fmt::format("| {} |", step + 1);
    for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
      std::string cell;
      for (std::uint32_t op = program.first_of_rank[rank]; op < program.first_of_rank[rank + 1]; ++op)
        if (steps[op] == step)
          cell += (cell.empty() ? "" : "<br>") + text_of(program, program.ops[op], ranks);
      text += fmt::format(" {} |", cell);
    }
    text += '\n';
  }
  if (all > kMostSteps) text += fmt::format("\nThere are {} more steps.\n", all - kMostSteps);
  return text;
}

}  // namespace

std::string steps_page() {
  std::string page = fmt::format(
      "\nWhat each rank does in each program of `headway list programs`, with {0} ranks or as many as the "
      "program "
      "has, and with the other keys as they are by default, but with one segment in switches. → 1: a send to "
      "rank 1; ← 3: a receive from rank "
      "3; a "
      "number of ns: a computation. An operation is in the first step in which it can begin if every message "
      "takes "
      "a step; a receive is in the step of its send. The operations themselves do not wait for steps, but "
      "for what "
      "they require ([programs.md](programs.md)). `headway program convert --program NAME --set ranks={0} "
      "--out "
      "x.goal` writes all operations with their requirements.\n",
      kShownRanks);
  for (const auto& [name, kind] : variants()) {
    ProgramBuilder builder(kind->ranks().value_or(kShownRanks));
    kind->build(builder);
    Mistakes mistakes;
    if (const std::optional<Program> program = builder.take(mistakes))
      page += fmt::format("\n## {}\n{}", name, table_of(*program, builder.ranks()));
  }
  return page;
}

}  // namespace headway::catalogue
