// SPDX-License-Identifier: Apache-2.0
// headway program: summarises, checks or converts the file of a program.
#include <fmt/format.h>

#include <filesystem>

#include "headway/base/plural.h"
#include "headway/cli/command.h"
#include "headway/cli/named_program.h"
#include "headway/programs/program_summary.h"
#include "headway/programs/program_writer.h"
#include "headway/trace/byte_stream.h"

namespace headway::cli {
namespace {

std::string size_text(const NamedProgram& named) {
  return fmt::format("{} of {}", plural(named.program.size(), "operation"),
                     plural(named.program.ranks(), "rank"));
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
  const NamedProgram named = read_program(arguments, terminal);
  if (name.extension() == ".csv") {
    if (const auto why = not_in_csv(named.program))
      throw SpecError(
          {{.key = "", .message = *why, .hint = "GOAL text can say that", .where = named.source}});
    write_operations_csv(named.program, named.tags, *create_bytes(*out));
  } else {
    const std::string unit = write_goal(named.program, named.tags, *create_bytes(*out));
    if (unit != "1 ns")
      terminal.warn(fmt::format("times of {} are in ps: read it with calc_unit = \"{}\"", *out, unit));
  }
  terminal.say(fmt::format("{}: {}", visible(*out), size_text(named)));
  return kFine;
}

int run_program_command(const Arguments& arguments, Terminal& terminal) {
  const std::string action = *arguments.value("ACTION");
  if (action == "convert") return convert(arguments, terminal);
  const NamedProgram named = read_program(arguments, terminal);
  if (action == "info")
    terminal.print(summary_page(summary_of(named.program), named.kind));
  else
    terminal.print(fmt::format("{}: fine: {}\n", visible(named.source), size_text(named)));
  return kFine;
}

}  // namespace

Command command_program() {
  std::vector<Flag> flags = program_flags();
  flags.push_back(
      {.spelled = "-o, --out FILE",
       .help = "convert: the file to write; its name ends in .goal or .csv, and then .gz or .zst"});
  return {
      .name = "program",
      .summary = "summarise, check or convert a program of sends, receives and computes",
      .description =
          "A program has a graph of operations for every rank (docs/program-files.md). FILE is GOAL, text or "
          "binary, CSV with a row per operation, a connection matrix of htsim, a flow file of HPCC, a "
          "workload of ASTRA-sim or SimAI, or Chakra execution traces, plain or compressed. Instead of a "
          "file, --program names a "
          "built-in program. FILE can also be a spec, whose name ends in .toml: then it is the program of "
          "one of its jobs.\n\n"
          "The action info prints the numbers of ranks and operations, the sizes of messages and the longest "
          "chain of operations.\n\n"
          "The action check looks for mistakes: lines that cannot be read, sends and receives without a "
          "partner, receives that are too small, and operations that wait for each other in a cycle. info "
          "and convert look for them, too.\n\n"
          "The action convert writes the program as GOAL text or CSV, for other simulators.",
      .positionals = {{.name = "ACTION", .help = "what to do", .choices = {"info", "check", "convert"}},
                      program_positional()},
      .flags = flags,
      .examples =
          {{"headway program info my.goal.zst", "prints what the program contains"},
           {"headway program check my.goal --set rendezvous=\"64 KiB\"",
            "also finds cycles of long messages that wait for their receives"},
           {"headway program convert incast.cm -o incast.goal", "translates a connection matrix of htsim"},
           {"headway program convert --program all-reduce --set ranks=16 --set size=\"1 MiB\" -o ring.goal",
            "writes a built-in program"}},
      .run = run_program_command};
}

}  // namespace headway::cli
