// SPDX-License-Identifier: Apache-2.0
// headway paper: simulates the figures of a paper, draws them, and checks the paper's claims
// (architecture.md).
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "headway/base/visible.h"
#include "headway/base/wrapped.h"
#include "headway/cli/command.h"
#include "headway/cli/interrupt.h"
#include "headway/cli/progress.h"
#include "headway/papers/chosen.h"
#include "headway/papers/paper_file.h"
#include "headway/papers/reproduce.h"

namespace headway::cli {
namespace {

namespace fs = std::filesystem;

// The papers beside the installed program, if they exist, otherwise those in the source directory of the
// build.
fs::path papers_folder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path installed = program.parent_path().parent_path() / "share" / "headway" / "papers";
  return fs::exists(installed, error) ? installed : fs::path(HEADWAY_PAPERS);
}

int list_papers(Terminal& terminal) {
  for (const fs::path& folder : paper_folders(papers_folder())) {
    const Paper paper = read_paper(folder);
    terminal.print(terminal.folded(
        fmt::format("{}  {}\n    {}\n", terminal.bold(paper.key), paper.title, paper.citation)));
    std::vector<std::pair<std::string, std::string>> figures;
    for (const FigureSpec& figure : paper.figures)
      figures.emplace_back(figure.id, fmt::format("{}: {}", figure.number, figure.title));
    terminal.print(terminal.folded(in_two_columns(figures)));
  }
  return kFine;
}

void print_figure(const MadeFigure& figure, Terminal& terminal) {
  const FigureSpec& spec = *figure.spec;
  const FigureFiles& files = figure.files;
  terminal.progress("");
  terminal.print(terminal.bold(fmt::format("{}: {}\n", spec.number, spec.title)));
  if (spec.drawing == Drawing::table)
    terminal.print(figure_table(spec, figure.curves));
  else if (!files.picture.empty())
    terminal.print(fmt::format("  picture  {}{}\n", visible(files.picture.string()),
                               files.print.empty() ? "" : ", " + visible(files.print.string())));
  terminal.print(fmt::format("  data     {}\n", visible(files.data.string())));
  if (!files.problem.empty()) terminal.warn(fmt::format("{} was not drawn: {}", spec.number, files.problem));
  terminal.flush();
}

// Prints a claim once and below it the measured values, one per reading if there are several.
void print_claims(const std::vector<JudgedClaim>& claims, bool quick, Terminal& terminal) {
  std::string_view before;
  for (const auto& [claim, judgement] : claims) {
    std::string verdict = fmt::format("{}{}", describe(*claim, judgement), quick ? ", quick" : "");
    verdict = judgement.verdict == Finding::fails ? terminal.red(verdict) : terminal.bold(verdict);
    const std::string_view name = name_without_reading(claim->id);
    const std::string why = remark(*claim, judgement);
    if (claim->reading.empty()) {
      terminal.print(
          terminal.folded(fmt::format("{}: {}\n  {} ({})\n", name, verdict, claim->says, claim->where)));
      if (!claim->measure.curves().empty())
        terminal.print(
            fmt::format("  expected {}, measured {}\n", expectation(*claim), to_string(judgement.measured)));
      if (!why.empty()) terminal.print(terminal.folded(fmt::format("  {}\n", why)));
      continue;
    }
    if (name != before)
      terminal.print(terminal.folded(fmt::format("{}: {} ({})\n  expected {}\n", terminal.bold(name),
                                                 claim->says, claim->where, expectation(*claim))));
    before = name;
    terminal.print(
        terminal.folded(fmt::format("  {:<14} {:<18}  {}{}{}\n", claim->reading,
                                    to_string(judgement.measured), verdict, why.empty() ? "" : ": ", why)));
  }
  if (claims.empty()) return;
  std::vector<std::string> readings;
  for (const auto& [claim, judgement] : claims)
    if (std::ranges::find(readings, claim->reading) == readings.end()) readings.push_back(claim->reading);
  for (const std::string& reading : readings)
    terminal.print(terminal.folded(
        fmt::format("{}met: {}\n", reading.empty() ? "" : reading + ": ", met(claims, reading))));
  terminal.print(fmt::format("{}{}\n", tally(claims), quick ? " (quick: short runs and few seeds)" : ""));
}

int run_paper(const Arguments& arguments, Terminal& terminal) {
  const auto key = arguments.value("KEY");
  if (!key) return list_papers(terminal);
  const Paper paper = find_paper(papers_folder(), *key);
  const bool quick = arguments.has("--quick");
  const auto report = arguments.value("--report");
  if (report && (quick || arguments.has("--figure")))
    throw UsageError("--report needs full runs of all figures: it excludes --quick and --figure");
  const auto trace = arguments.value("--trace");
  if (report && trace)
    throw UsageError("--report needs results that everyone can repeat: it excludes --trace");
  std::vector<const FigureSpec*> figures = chosen_figures(paper, arguments.values("--figure"));
  if (trace) std::erase_if(figures, [](const FigureSpec* figure) { return !figure->trace; });
  if (figures.empty()) throw UsageError("--trace: none of these figures replays a trace");
  const fs::path out =
      arguments.value("--out").value_or(default_directory(paper, trace.has_value(), quick).string());

  ReproduceOptions options{.directory = out, .quick = quick, .trace = trace};
  if (arguments.has("--no-titles")) options.titles = Titles::left_out;
  options.jobs = static_cast<unsigned>(arguments.number("--jobs", 1, kMaxJobs).value_or(0));
  options.cancelled = &catch_interrupts();
  const auto explain_interrupted = [&] {
    terminal.progress("");
    terminal.warn(fmt::format("interrupted; finished results are in {}; the same command continues",
                              visible(out.string())));
  };
  options.on_stuck = [&] {
    explain_interrupted();
    end_interrupted();
  };
  options.command = {"headway", "paper"};
  options.command.insert(options.command.end(), arguments.words().begin(), arguments.words().end());
  options.on_read = [&](std::uint64_t bytes, std::uint64_t size) {
    terminal.progress(reading_text(bytes, size));
  };
  if (terminal.talks())
    options.on_progress = [&](const FigureSpec& figure, const SweepProgress& now) {
      terminal.progress(fmt::format("{}: {}", figure.number, progress_text(now)));
    };
  options.on_figure = [&](const MadeFigure& figure) { print_figure(figure, terminal); };
  const Reproduction made = reproduce(paper, figures, options);
  if (!made.complete) {
    explain_interrupted();
    return kInterrupted;
  }
  terminal.progress("");
  if (report) write_report(*report, paper, made.figures, made.claims, made.cpu_s);
  terminal.print("\n");
  print_claims(made.claims, quick, terminal);
  const bool unexpected =
      std::ranges::any_of(made.claims, [](const JudgedClaim& claim) { return claim.judgement.unexpected; });
  return unexpected ? kFailed : kFine;
}

}  // namespace

Command command_paper() {
  return {
      .name = "paper",
      .place = 100,
      .summary = "reproduce a paper's figures and check its claims",
      .description =
          "Simulates the figures of a paper on all cores, draws them, and compares the paper's claims with "
          "the simulated results. Without KEY, lists the papers and their figures.\n\n"
          "Writes to DIR, for each figure, data.csv, figure.gp, figure.svg and figure.pdf (or table.md) with "
          "the results of all runs. Also writes claims.json, which lists every claim with the expected and "
          "the measured value and the verdict: the claim holds, it does not hold, or it is undecided because "
          "a bound lies within the 95 % confidence interval of the measured value. The exit code is 1 if a "
          "claim fails that is not declared as known to fail, or if a claim holds that is declared so. The "
          "same command continues an interrupted run.",
      .positionals = {{.name = "KEY",
                       .help = "key of a paper, or a directory of your own with paper.toml and claims.toml",
                       .required = false,
                       .completes = Completes::directories}},
      .flags =
          {{.spelled = "--figure F",
            .help =
                "makes only this figure or table, in all readings (F) or in one (F@READING); can be repeated",
            .repeatable = true},
           {.spelled = "--trace FILE",
            .help = "makes only the figures that replay a trace, and replays this one"},
           {.spelled = "--no-titles", .help = "draws figures without a title, for pages with captions"},
           {.spelled = "--quick", .help = "uses shorter runs and fewer seeds; the model stays the same"},
           {.spelled = "--jobs N", .help = "number of points simulated in parallel; default: one per core"},
           {.spelled = "-o, --out DIR", .help = "directory for the output files; default: out/KEY"},
           {.spelled = "--report FILE",
            .help = "updates the paper's section in FILE (docs/reproduction.md)"}},
      .examples = {{"headway paper", "lists the papers and their figures"},
                   {"headway paper obqa --figure 5a", "simulates a hot spot with six queueing schemes"},
                   {"headway paper obqa --trace cello.srt.gz", "makes the trace figures with your own trace"},
                   {"headway paper obqa --quick", "makes all figures with short runs"}},
      .run = run_paper};
}

}  // namespace headway::cli
