// SPDX-License-Identifier: Apache-2.0
#include "headway/programs/file_program.h"

#include <fmt/format.h>

#include "headway/base/paths.h"
#include "headway/base/wide.h"
#include "headway/trace/record.h"

namespace headway {

void FileProgram::describe(Parameters& parameters) {
  parameters.field({.name = "file",
                    .help = "the program, plain or compressed with gzip or zstd (docs/program-files.md); a "
                            "relative path is relative to the spec"},
                   file_);
}

ProgramText FileProgram::open(InputFile::Progress progress) const {
  return {open_bytes(file_, std::move(progress)), short_path(file_.path()), "file"};
}

std::uint32_t FileProgram::count_ranks(ProgramText& text) const {
  ProgramBuilder scratch(0);
  read(text, scratch, /*only_ranks=*/true);
  return text.any_wrong() ? 0 : scratch.ranks();
}

std::optional<std::uint32_t> FileProgram::ranks() const {
  if (!file_.named()) return std::nullopt;
  try {
    ProgramText text = open();
    if (const std::uint32_t ranks = count_ranks(text); ranks > 0) return ranks;
  } catch (const SpecError&) {  // `check` reports it
  }
  return std::nullopt;
}

void FileProgram::check(std::uint32_t, Mistakes& mistakes) const {
  if (!file_.named()) return mistakes.add("file", "no file is given", "write for example file = \"my.goal\"");
  try {
    ProgramText text = open();
    count_ranks(text);
    text.finish(mistakes);
  } catch (const SpecError& error) {
    add_of_file(error.mistakes(), "file", mistakes);
  }
}

void FileProgram::build(ProgramBuilder& builder, InputFile::Progress progress) const {
  const std::uint32_t ranks = builder.ranks();
  Mistakes mistakes;
  try {
    ProgramText text = open(std::move(progress));
    read(text, builder, /*only_ranks=*/false);
    text.finish(mistakes);
  } catch (const SpecError& error) {
    add_of_file(error.mistakes(), "file", mistakes);
  }
  if (mistakes.empty() && ranks > 0 && builder.ranks() > ranks)
    mistakes.add("file", fmt::format("has {} ranks, but the job has {}", builder.ranks(), ranks),
                 "the job needs as many nodes, or a larger ranks_per_node");
  mistakes.throw_if_any();
}

std::vector<Choice<ProgramKind>> file_programs() {
  std::vector<Choice<ProgramKind>> all;
  for (const Entry<ProgramKind>& entry : programs())
    if (Choice<ProgramKind> choice{entry.make(), entry.name};
        dynamic_cast<const FileProgram*>(choice.get()) != nullptr)
      all.push_back(std::move(choice));
  return all;
}

std::optional<std::uint64_t> picoseconds_of(std::uint64_t units, const Rational& unit) {
  const Wide picoseconds = Wide{units} * static_cast<std::uint64_t>(unit.numerator()) /
                           static_cast<std::uint64_t>(unit.denominator());
  if (picoseconds > Wide{static_cast<std::uint64_t>(kMostTraceTime)}) return std::nullopt;
  return static_cast<std::uint64_t>(picoseconds);
}

std::optional<std::string_view> recognised_program(const InputFile& file) {
  ProgramText text(open_bytes(file), file.path(), "");
  const std::string_view beginning = text.ahead(std::size_t{1} << 16);
  for (const Choice<ProgramKind>& choice : file_programs())
    if (dynamic_cast<const FileProgram&>(*choice).recognises(beginning)) return choice.name;
  return std::nullopt;
}

}  // namespace headway
