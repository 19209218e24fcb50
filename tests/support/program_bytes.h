// SPDX-License-Identifier: Apache-2.0
// Programs as bytes in memory, for tests that write, damage and read them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "headway/config/assign.h"
#include "headway/program_files/program_writer.h"
#include "headway/programs/file_program.h"
#include "tests/support/trace_bytes.h"

namespace headway::test {

struct ReadProgram {
  std::optional<Program> program;
  std::vector<std::uint32_t> tags;
  Mistakes mistakes;

  // "test:3:7: message; hint", one line per mistake.
  std::string text() const {
    std::string all;
    for (const Mistake& mistake : mistakes.list())
      all +=
          mistake.where + ": " + mistake.message + (mistake.hint.empty() ? "" : "; " + mistake.hint) + "\n";
    return all;
  }
};

// `ranks`: those of the job, for files that do not say how many there are. Programs have at most two million
// operations.
inline ReadProgram read_program(std::string_view format, std::string content, std::uint32_t ranks = 0,
                                Arguments arguments = {}) {
  ReadProgram read;
  ProgramText text(bytes_of(std::move(content), "test"), "test", "");
  ProgramBuilder builder(ranks, std::uint64_t{1} << 27);
  const auto kind = choose(programs(), format, arguments);
  try {
    dynamic_cast<const FileProgram&>(*kind.get()).read(text, builder, /*only_ranks=*/false);
  } catch (const SpecError& error) {  // in a key of the job
    for (Mistake mistake : error.mistakes()) {
      mistake.where = mistake.key;
      read.mistakes.add(std::move(mistake));
    }
  }
  text.finish(read.mistakes);
  if (read.mistakes.empty()) read.program = builder.take(read.mistakes, &read.tags);
  return read;
}

inline std::string goal_text(const ReadProgram& read) {
  std::string content;
  StringSink sink(content);
  write_goal(*read.program, read.tags, sink);
  return content;
}
inline std::string csv_text(const ReadProgram& read) {
  std::string content;
  StringSink sink(content);
  write_operations_csv(*read.program, read.tags, sink);
  return content;
}

// The same operations, partners and requirements; the places in the files do not matter.
inline bool equal(const Program& a, const Program& b) {
  const auto same = [](const ProgramOp& x, const ProgramOp& y) {
    return x.amount == y.amount && x.partner == y.partner && x.kind == y.kind && x.cpu == y.cpu &&
           x.requirements == y.requirements && x.first_dependent == y.first_dependent;
  };
  if (a.first_of_rank != b.first_of_rank) return false;
  for (std::uint32_t op = 0; op <= a.size(); ++op)
    if (!same(a.ops[op], b.ops[op])) return false;
  return std::ranges::equal(a.dependents, b.dependents, {}, &Dependent::word, &Dependent::word);
}

}  // namespace headway::test
