// SPDX-License-Identifier: Apache-2.0
// headway program: summarises, checks or converts the file of a program.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "headway/base/plural.h"
#include "headway/cli/progress.h"
#include "headway/cli/spec_arguments.h"
#include "headway/compile/machine.h"
#include "headway/compile/plan/jobs.h"
#include "headway/config/nearest.h"
#include "headway/config/toml.h"
#include "headway/program_files/program_summary.h"
#include "headway/program_files/program_writer.h"
#include "headway/programs/file_program.h"
#include "headway/programs/program.h"
#include "headway/spec/flow_names.h"
#include "headway/spec/read_spec.h"
#include "headway/trace/byte_stream.h"

namespace headway::cli {
namespace {

// The program that the arguments name: a file, a built-in program with its keys, or a job of a spec.
struct NamedProgram {
  std::string source;  // the file, or the name of the program
  std::string kind;    // its format, or the name of the program
  Program program;
  std::vector<std::uint32_t> tags;  // [operation]
};

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

// The job with this program and the keys of --set.
JobSpec job_of(const std::string& program, const std::optional<std::string>& file,
               const Arguments& arguments) {
  Document job(Document::Table{{"program", "", Document(program)}});
  Mistakes mistakes;
  if (file) job.set("file", Document(*file));
  for (const auto& [key, value] : settings_of(arguments))
    if (const auto problem = job.set(key, value)) mistakes.add(key, *problem);
  const Document document(Document::Table{
      {"traffic", "", Document(Document::Table{{"job", "", Document(Document::Array{std::move(job)})}})}});
  JobSpec spec = std::get<EventSpec>(read_spec(document, mistakes).spec).traffic.jobs.at(0);
  mistakes.throw_if_any();
  return spec;
}

struct ChosenJob {
  JobSpec job;
  std::optional<std::uint32_t> ranks;  // none: as many as the file says
};

ChosenJob job_of_spec(const std::string& path, const Arguments& arguments) {
  if (arguments.value("--program"))
    throw UsageError("a spec says which programs its jobs run; omit --program");
  const Experiment experiment = load_experiment(read_toml(path), settings_of(arguments), {});
  const Spec spec = experiment.points.front().spec();
  const auto* const event = std::get_if<EventSpec>(&spec);
  const std::vector<JobSpec> jobs = event == nullptr ? std::vector<JobSpec>() : event->traffic.jobs;
  if (jobs.empty()) throw UsageError(fmt::format("{} has no job", path));
  const std::vector<std::string> flows = flow_names(event->traffic);  // jobs come last
  const std::vector<std::string> names(flows.end() - static_cast<std::ptrdiff_t>(jobs.size()), flows.end());
  std::size_t number = 0;
  if (const auto name = arguments.value("--job")) {
    const std::vector<std::string_view> valid(names.begin(), names.end());
    number = static_cast<std::size_t>(std::ranges::find(names, *name) - names.begin());
    if (number == names.size()) throw UsageError(unknown("job", *name, valid));
  } else if (jobs.size() > 1) {
    throw UsageError(
        fmt::format("{} has {} jobs; choose one with --job: {}", path, jobs.size(), fmt::join(names, ", ")));
  }
  Mistakes mistakes;
  const auto ranks = ranks_of_jobs(*event, mistakes);
  mistakes.throw_if_any();
  ChosenJob chosen{jobs[number], ranks[number]};
  if (!chosen.job.parts.empty()) chosen.job.program->take_parts(chosen.job.parts);
  return chosen;
}

std::string format_of(const Arguments& arguments, const std::string& path) {
  const std::vector<std::string_view> names = names_of(file_programs());
  if (const auto given = arguments.value("--program")) {
    if (std::ranges::find(names, *given) == names.end())
      throw UsageError(unknown("program format", *given, names));
    return *given;
  }
  if (const auto found = recognised_program(InputFile(path))) return std::string(*found);
  throw UsageError(fmt::format("cannot recognise the format of {}; specify it with --program: {}", path,
                               fmt::join(names, ", ")));
}

ChosenJob choose_job(const Arguments& arguments, std::string& source) {
  const auto file = arguments.value("FILE"), program = arguments.value("--program");
  if (!file && !program) throw UsageError("give a FILE, or a built-in program with --program");
  source = file ? *file : *program;
  if (file && file->ends_with(".toml")) return job_of_spec(*file, arguments);
  if (arguments.value("--job")) throw UsageError("--job is for specs, whose names end in .toml");
  ChosenJob chosen{job_of(file ? format_of(arguments, *file) : *program, file, arguments), std::nullopt};
  chosen.ranks = chosen.job.program->ranks();
  if (const auto given = chosen.job.ranks) {
    if (chosen.ranks && *given != *chosen.ranks)
      throw SpecError("ranks", fmt::format("{} ranks, but the program has {}", *given, *chosen.ranks),
                      "omit it");
    chosen.ranks = static_cast<std::uint32_t>(*given);
  }
  Mistakes mistakes;
  check_rank_count(chosen.ranks.value_or(0), chosen.job.ranks ? "ranks" : "program", mistakes);
  mistakes.throw_if_any();
  return chosen;
}

void build(const ChosenJob& chosen, ProgramBuilder& builder, Terminal& terminal) {
  if (const auto* const file = dynamic_cast<const FileProgram*>(chosen.job.program.get())) {
    file->build(builder, ReadingProgress(terminal));
    return terminal.progress("");
  }
  if (!chosen.ranks)
    throw UsageError("how many ranks does the program have? Write for example --set ranks=16");
  Mistakes mistakes;
  chosen.job.program->check(*chosen.ranks, mistakes);
  mistakes.throw_if_any();
  chosen.job.program->build(builder);
}

// Throws SpecError with all mistakes of the program, also those of messages and cycles, or UsageError.
NamedProgram read_program(const Arguments& arguments, Terminal& terminal) {
  NamedProgram result;
  const ChosenJob chosen = choose_job(arguments, result.source);
  result.kind = chosen.job.program.name;
  ProgramBuilder builder(chosen.ranks.value_or(0), available_memory() / 2);
  Mistakes mistakes;
  try {
    build(chosen, builder, terminal);
  } catch (const SpecError& error) {
    for (Mistake mistake : error.mistakes()) {
      if (!mistake.where.empty()) mistake.key.clear();  // a place in the file says more than the key "file"
      mistakes.add(std::move(mistake));
    }
    mistakes.throw_if_any();
  }
  std::optional<Program> program = builder.take(mistakes, &result.tags);
  if (program)
    report_cycle(*program,
                 chosen.job.rendezvous ? static_cast<std::uint64_t>(chosen.job.rendezvous->count)
                                       : std::numeric_limits<std::uint64_t>::max(),
                 mistakes);
  for (Mistake& mistake : mistakes.list()) {  // those of operations name their line
    mistake.key.clear();
    mistake.where = result.source;
  }
  mistakes.throw_if_any();
  result.program = std::move(*program);
  return result;
}

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
      throw SpecError("", *why, "GOAL text can say that", named.source);
    write_operations_csv(named.program, named.tags, *create_bytes(*out));
  } else {
    const std::string unit = write_goal(named.program, named.tags, *create_bytes(*out));
    if (unit != "1 ns")
      terminal.warn(fmt::format(
          "times of {} are in units of {}, as its first line says; other simulators take them for ns",
          visible(*out), unit));
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
  return {
      .name = "program",
      .place = 120,
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
                      {.name = "FILE",
                       .help = "the program, or a spec with a job",
                       .required = false,
                       .completes = Completes::files}},
      .flags = {{.spelled = "--program NAME",
                 .help = "without FILE: a built-in program (headway list programs). With FILE: its format; "
                         "default: recognised "
                         "from its beginning"},
                {.spelled = "--set KEY=VALUE",
                 .help =
                     "sets a key of the job, as in ranks=16, size=\"1 MiB\" or rendezvous=\"64 KiB\"; with a "
                     "spec, a key "
                     "of the spec",
                 .repeatable = true,
                 .table = "traffic.job."},
                {.spelled = "--job NAME", .help = "the job of a spec; default: its only one"},
                {.spelled = "-o, --out FILE",
                 .help = "convert: the file to write; its name ends in .goal or .csv, and then .gz or .zst"}},
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
