// SPDX-License-Identifier: Apache-2.0
// headway paper: runs the figures of a paper, draws them, and judges what the paper claims (architecture.md).
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "headway/base/visible.h"
#include "headway/cli/command.h"
#include "headway/cli/interrupt.h"
#include "headway/cli/parse.h"
#include "headway/cli/progress.h"
#include "headway/config/nearest.h"
#include "headway/papers/paper_file.h"
#include "headway/papers/reproduce.h"

namespace headway::cli {
namespace {

namespace fs = std::filesystem;

// Beside the installed program if they are there, else where this was built from.
fs::path papers_folder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path installed = program.parent_path().parent_path() / "share" / "headway" / "papers";
  return fs::exists(installed, error) ? installed : fs::path(HEADWAY_PAPERS);
}

// A key, or a folder with a paper.toml of the user's own.
Paper find_paper(const std::string& key) {
  std::error_code error;
  if (fs::exists(fs::path(key) / "paper.toml", error)) return read_paper(fs::canonical(key));
  std::vector<std::string> keys;
  for (const fs::path& folder : paper_folders(papers_folder())) {
    keys.push_back(folder.filename().string());
    if (keys.back() == key) return read_paper(folder);
  }
  throw UsageError(unknown("paper", key, std::vector<std::string_view>(keys.begin(), keys.end())));
}

int list_papers(Terminal& terminal) {
  for (const fs::path& folder : paper_folders(papers_folder())) {
    const Paper paper = read_paper(folder);
    terminal.print(fmt::format("{}  {}\n    {}\n", terminal.bold(paper.key), paper.title, paper.citation));
    for (const FigureSpec& figure : paper.figures)
      terminal.print(fmt::format("  {:<10} {}: {}\n", figure.id, figure.number, figure.title));
  }
  return kFine;
}

// The figures that were asked for, or all. "6" is the figure under every reading, "6@input" under one.
std::vector<const FigureSpec*> chosen_figures(const Paper& paper, const std::vector<std::string>& ids) {
  std::vector<std::string_view> valid;
  for (const FigureSpec& figure : paper.figures) {
    const std::string_view name = name_without_reading(figure.id);
    if (std::ranges::find(valid, name) == valid.end()) valid.push_back(name);
    if (!figure.reading.empty()) valid.push_back(figure.id);
  }
  for (const std::string& id : ids)
    if (std::ranges::find(valid, id) == valid.end()) throw UsageError(unknown("figure", id, valid));
  std::vector<const FigureSpec*> chosen;
  for (const FigureSpec& figure : paper.figures)
    if (ids.empty() || std::ranges::any_of(ids, [&](std::string_view id) {
          return id == figure.id || id == name_without_reading(figure.id);
        }))
      chosen.push_back(&figure);
  return chosen;
}

void print(const MadeFigure& figure, const FigureFiles& files, Terminal& terminal) {
  const FigureSpec& spec = *figure.spec;
  terminal.progress("");
  terminal.print(terminal.bold(fmt::format("{}: {}\n", spec.number, spec.title)));
  if (spec.drawing == Drawing::table)
    terminal.print(figure_table(spec, figure.curves));
  else if (!files.picture.empty())
    terminal.print(fmt::format("  picture  {}{}\n", visible(files.picture.string()),
                               files.print.empty() ? "" : ", " + visible(files.print.string())));
  terminal.print(fmt::format("  data     {}\n", visible(files.data.string())));
  if (!files.problem.empty()) terminal.warn(fmt::format("{} is not drawn: {}", spec.number, files.problem));
  terminal.flush();
}

// A claim once, and below it what was measured: under every reading, if there are several.
void print(const std::vector<JudgedClaim>& claims, bool quick, Terminal& terminal) {
  std::string_view before;
  for (const auto& [claim, judgement] : claims) {
    std::string verdict = fmt::format("{}{}", describe(*claim, judgement), quick ? ", quick" : "");
    verdict = judgement.verdict == Verdict::fails ? terminal.red(verdict) : terminal.bold(verdict);
    const std::string_view name = name_without_reading(claim->id);
    const std::string why = remark(*claim, judgement);
    if (claim->reading.empty()) {
      terminal.print(fmt::format("{}: {}\n  {} ({})\n", name, verdict, claim->says, claim->where));
      if (!claim->measure.curves().empty())
        terminal.print(
            fmt::format("  expected {}, measured {}\n", expectation(*claim), to_string(judgement.measured)));
      if (!why.empty()) terminal.print(fmt::format("  {}\n", why));
      continue;
    }
    if (name != before)
      terminal.print(fmt::format("{}: {} ({})\n  expected {}\n", terminal.bold(name), claim->says,
                                 claim->where, expectation(*claim)));
    before = name;
    terminal.print(fmt::format("  {:<14} {:<18} {}{}{}\n", claim->reading, to_string(judgement.measured),
                               verdict, why.empty() ? "" : ": ", why));
  }
  if (!claims.empty())
    terminal.print(fmt::format("{}{}\n", tally(claims), quick ? " (quick: short runs and few seeds)" : ""));
}

int run(const Arguments& arguments, Terminal& terminal) {
  const auto key = arguments.value("KEY");
  if (!key) return list_papers(terminal);
  const Paper paper = find_paper(*key);
  const bool quick = arguments.has("--quick");
  const auto report = arguments.value("--report");
  if (report && (quick || arguments.has("--figure")))
    throw UsageError("--report is about full runs of all figures: it goes without --quick and --figure");
  const auto trace = arguments.value("--trace");
  if (report && trace)
    throw UsageError("--report is about what everyone can repeat: it goes without --trace");
  std::vector<const FigureSpec*> figures = chosen_figures(paper, arguments.values("--figure"));
  if (trace) std::erase_if(figures, [](const FigureSpec* figure) { return !figure->trace; });
  if (figures.empty()) throw UsageError("--trace: none of these figures plays a trace");
  const fs::path out = arguments.value("--out").value_or(
      fmt::format("out/{}{}{}", paper.key, trace ? "-trace" : "", quick ? "-quick" : ""));

  ReproduceOptions options{.directory = out, .quick = quick, .trace = trace};
  if (arguments.has("--no-titles")) options.titles = Titles::left_out;
  options.jobs = static_cast<unsigned>(arguments.number("--jobs", 1, kMaxJobs).value_or(0));
  options.cancelled = &catch_interrupts();
  options.command = {"headway", "paper"};
  options.command.insert(options.command.end(), arguments.words().begin(), arguments.words().end());
  options.on_note = [&](std::string_view note) { terminal.warn(note); };
  options.on_read = [&](std::uint64_t bytes, std::uint64_t size) {
    terminal.progress(reading_text(bytes, size));
  };
  if (terminal.talks())
    options.on_progress = [&](const FigureSpec& figure, const SweepProgress& now) {
      terminal.progress(fmt::format("{}: {}", figure.number, progress_text(now)));
    };
  options.on_figure = [&](const MadeFigure& figure, const FigureFiles& files) {
    print(figure, files, terminal);
  };
  const Reproduction made = reproduce(paper, figures, options);
  terminal.progress("");
  if (!made.complete) {
    terminal.warn(fmt::format("stopped; what is finished is in {}, and the same command continues",
                              visible(out.string())));
    return kInterrupted;
  }
  if (report) write_report(*report, paper, made.figures, made.claims);
  terminal.print("\n");
  print(made.claims, quick, terminal);
  const bool unexpected =
      std::ranges::any_of(made.claims, [](const JudgedClaim& claim) { return claim.judgement.unexpected; });
  return unexpected ? kFailed : kFine;
}

}  // namespace

Command command_paper() {
  return {
      .name = "paper",
      .summary = "reproduce a paper's figures and judge its claims",
      .description =
          "Runs the figures of a paper on all cores, draws them, and compares what the paper says with what "
          "was "
          "measured. Without KEY it lists the papers and their figures.\n\n"
          "DIR gets, for each figure, data.csv, figure.gp, figure.svg and figure.pdf (or table.md) beside "
          "the "
          "results of "
          "all runs, and claims.json with every claim: what is expected, what was measured, and whether it "
          "holds, does not hold, or nobody can tell because a bound lies within the 95 % interval of what "
          "was "
          "measured. "
          "The exit code is 1 if a claim does not hold that is not declared as known not to, or holds that "
          "is. "
          "What was stopped is continued by the same command.",
      .positionals = {{.name = "KEY",
                       .help = "which paper, or a folder of your own with paper.toml and claims.toml",
                       .required = false,
                       .completes = Completes::directories}},
      .flags =
          {{.name = "--figure",
            .value = "F",
            .help =
                "only this figure or table (under every reading, or F@READING under one); may be repeated",
            .repeatable = true},
           {.name = "--trace",
            .value = "FILE",
            .help = "plays this trace in the figures that play one, and makes only those",
            .completes = Completes::files},
           {.name = "--no-titles", .help = "pictures without a title, for a page where a caption says it"},
           {.name = "--quick", .help = "shorter runs, fewer seeds; the model stays the same"},
           {.name = "--jobs", .value = "N", .help = "points simulated at once; default: one per core"},
           {.name = "--out",
            .letter = "-o",
            .value = "DIR",
            .help = "where the files go; default: out/KEY",
            .completes = Completes::directories},
           {.name = "--report",
            .value = "FILE",
            .help = "updates the paper's section of this page (docs/reproduction.md)",
            .completes = Completes::files}},
      .examples = {{"headway paper", "the papers and their figures"},
                   {"headway paper obqa --figure 5a", "a hot spot under six queueing schemes"},
                   {"headway paper obqa --trace cello.srt.gz", "the trace figures from a trace of yours"},
                   {"headway paper obqa --quick", "everything, in a hurry"}},
      .run = run};
}

}  // namespace headway::cli
