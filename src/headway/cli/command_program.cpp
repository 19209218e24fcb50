// SPDX-License-Identifier: Apache-2.0
// headway program: summarises, checks or converts the file of a program.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <limits>

#include "headway/base/plural.h"
#include "headway/cli/command.h"
#include "headway/cli/progress.h"
#include "headway/config/assign.h"
#include "headway/config/nearest.h"
#include "headway/programs/file_program.h"
#include "headway/programs/program_summary.h"
#include "headway/programs/program_writer.h"

namespace headway::cli {
namespace {

struct ReadFile {
  std::string_view format;
  Program program;
  std::vector<std::uint32_t> tags;
};

std::vector<std::string_view> format_names() {
  std::vector<std::string_view> names;
  for (const Choice<ProgramKind>& choice : file_programs()) names.push_back(choice.name);
  return names;
}

std::string_view format_of(const Arguments& arguments, const InputFile& file) {
  const std::vector<std::string_view> names = format_names();
  if (const auto given = arguments.value("--format")) {
    const auto found = std::ranges::find(names, *given);
    if (found == names.end()) throw UsageError(unknown("program format", *given, names));
    return *found;
  }
  if (const auto found = recognised_program(file)) return *found;
  throw UsageError(fmt::format("cannot recognise the format of {}; specify it with --format: {}", file.path(),
                               fmt::join(names, ", ")));
}

Choice<ProgramKind> kind_of(const Arguments& arguments, std::string_view format) {
  Choice<ProgramKind> kind = choose(programs(), format);
  const auto text = arguments.value("--calc-unit");
  if (!text) return kind;
  const auto unit = parse_duration(*text);
  if (!unit || unit->ns <= Rational(0))
    throw UsageError(fmt::format("--calc-unit needs a time above 0 such as \"1 us\", not \"{}\"", *text));
  if (format != "goal") throw UsageError("--calc-unit is for GOAL text only");
  assign(*kind, {"calc_unit", *unit});
  return kind;
}

// Shows how much of a long file is read.
class ReadingProgress {
 public:
  explicit ReadingProgress(Terminal& terminal) : terminal_(terminal) {}

  void operator()(std::uint64_t bytes, std::uint64_t size) {
    const std::chrono::duration<double> elapsed = Clock::now() - start_;
    if (bytes == 0 || elapsed - shown_ < std::chrono::milliseconds(100)) return;
    shown_ = elapsed;
    const double fraction =
        static_cast<double>(bytes) / static_cast<double>(std::max<std::uint64_t>(size, 1));
    terminal_.progress(
        fmt::format("{}, {} left", reading_text(bytes, size), duration_text(elapsed * (1 / fraction - 1))));
  }

 private:
  using Clock = std::chrono::steady_clock;
  Terminal& terminal_;
  Clock::time_point start_ = Clock::now();
  std::chrono::duration<double> shown_{0};
};

// Throws SpecError with all mistakes of the file, also those of messages and cycles.
ReadFile read(const Arguments& arguments, Terminal& terminal) {
  const std::string path = *arguments.value("FILE");
  const InputFile file(path);
  ReadFile result{.format = format_of(arguments, file), .program = {}, .tags = {}};
  const Choice<ProgramKind> kind = kind_of(arguments, result.format);
  ProgramBuilder builder(0);
  Mistakes mistakes;
  {
    ProgramText text(open_bytes(file, ReadingProgress(terminal)), path, "");
    dynamic_cast<const FileProgram&>(*kind).read(text, builder);
    text.finish(mistakes);
  }
  terminal.progress("");
  mistakes.throw_if_any();
  std::uint64_t rendezvous = std::numeric_limits<std::uint64_t>::max();
  if (const auto text = arguments.value("--rendezvous")) {
    const auto size = parse_bytes(*text);
    if (!size || size->count < 0)
      throw UsageError(fmt::format("--rendezvous needs a size such as \"64 KiB\", not \"{}\"", *text));
    rendezvous = static_cast<std::uint64_t>(size->count);
  }
  std::optional<Program> program = builder.take(mistakes, &result.tags);
  if (program) report_cycle(*program, rendezvous, mistakes);
  for (Mistake& mistake : mistakes.list()) {  // those of operations name their line
    mistake.key.clear();
    mistake.where = path;
  }
  mistakes.throw_if_any();
  result.program = std::move(*program);
  return result;
}

int convert(const Arguments& arguments, Terminal& terminal) {
  const auto out = arguments.value("--out");
  if (!out) throw UsageError("convert needs --out FILE, which it writes");
  std::filesystem::path name = *out;
  if (name.extension() == ".gz" || name.extension() == ".zst") name = name.stem();
  if (name.extension() != ".goal" && name.extension() != ".csv")
    throw UsageError(
        fmt::format("the name of {} does not say its format; it ends in .goal or .csv, or in .gz or "
                    ".zst after that",
                    *out));
  const ReadFile read_file = read(arguments, terminal);
  if (name.extension() == ".csv") {
    if (const auto why = not_in_csv(read_file.program))
      throw SpecError({{.key = "",
                        .message = *why,
                        .hint = "GOAL text can say that",
                        .where = *arguments.value("FILE")}});
    write_operations_csv(read_file.program, read_file.tags, *create_bytes(*out));
  } else {
    const std::string unit = write_goal(read_file.program, read_file.tags, *create_bytes(*out));
    if (unit != "1 ns")
      terminal.warn(fmt::format("times of {} are in ps: read it with calc_unit = \"{}\"", *out, unit));
  }
  terminal.say(fmt::format("{}: {} of {}", visible(*out), plural(read_file.program.size(), "operation"),
                           plural(read_file.program.ranks(), "rank")));
  return kFine;
}

int run_program_command(const Arguments& arguments, Terminal& terminal) {
  const std::string action = *arguments.value("ACTION");
  if (action == "convert") return convert(arguments, terminal);
  const ReadFile read_file = read(arguments, terminal);
  if (action == "info")
    terminal.print(summary_page(summary_of(read_file.program), read_file.format));
  else
    terminal.print(fmt::format("{}: fine: {} of {}\n", visible(*arguments.value("FILE")),
                               plural(read_file.program.size(), "operation"),
                               plural(read_file.program.ranks(), "rank")));
  return kFine;
}

}  // namespace

Command command_program() {
  return {
      .name = "program",
      .summary = "summarise, check or convert a program of sends, receives and computes",
      .description =
          "A program has a graph of operations for every rank (docs/program-files.md). FILE is GOAL text, "
          "CSV "
          "with "
          "a row per operation, a connection matrix of htsim, or a flow file of HPCC, plain or "
          "compressed.\n\n"
          "The action info prints the numbers of ranks and operations, the sizes of messages and the longest "
          "chain of operations.\n\n"
          "The action check looks for mistakes: lines that cannot be read, sends and receives without a "
          "partner, receives that are too small, and operations that wait for each other in a cycle. info "
          "and "
          "convert look for them, too.\n\n"
          "The action convert writes the program as GOAL text or CSV.",
      .positionals = {{.name = "ACTION", .help = "what to do", .choices = {"info", "check", "convert"}},
                      {.name = "FILE", .help = "the program", .completes = Completes::files}},
      .flags = {{.name = "--format",
                 .value = "NAME",
                 .help = "format of FILE: goal, csv, htsim or hpcc; default: recognised from its beginning"},
                {.name = "--calc-unit", .value = "TIME", .help = "unit of calc in GOAL text; default: 1 ns"},
                {.name = "--rendezvous",
                 .value = "SIZE",
                 .help = "messages above this size wait for their receive; default: none does"},
                {.name = "--out",
                 .letter = "-o",
                 .value = "FILE",
                 .help = "convert: the file to write; its name ends in .goal or .csv, and then .gz or .zst",
                 .completes = Completes::files}},
      .examples = {{"headway program info my.goal.zst", "prints what the program contains"},
                   {"headway program check my.goal --rendezvous \"64 KiB\"",
                    "also finds cycles of long messages that wait for their receives"},
                   {"headway program convert incast.cm -o incast.goal",
                    "translates a connection matrix of htsim"}},
      .run = run_program_command};
}

}  // namespace headway::cli
