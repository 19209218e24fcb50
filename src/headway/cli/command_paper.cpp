// SPDX-License-Identifier: Apache-2.0
// headway paper: runs the figures of a paper, draws them, and judges what the paper claims (architecture.md).
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

#include "headway/base/nearest.h"
#include "headway/base/toml.h"
#include "headway/cli/command.h"
#include "headway/cli/interrupt.h"
#include "headway/cli/parse.h"
#include "headway/cli/progress.h"
#include "headway/experiment/load.h"
#include "headway/experiment/spec_files.h"
#include "headway/experiment/structure.h"
#include "headway/experiment/sweep.h"
#include "headway/experiment/write_spec.h"
#include "headway/io/atomic_file.h"
#include "headway/io/collection.h"
#include "headway/io/figure.h"
#include "headway/io/paper_file.h"
#include "headway/io/paper_report.h"
#include "headway/trace/format.h"

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

Paper find_paper(const std::string& key) {
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

struct Interrupted {};

// A figure with its experiment, checked before any figure runs.
struct Job {
  const FigureSpec* figure;
  Experiment experiment;
  std::vector<std::vector<std::size_t>> points_of;  // [curve]
  fs::path directory;

  // What decides the result of a point besides its spec; empty where that is one run.
  std::string method() const {
    return figure->saturation ? fmt::format("saturation search: {}", describe(*figure->saturation)) : "";
  }
};

// The user's trace in the place of the one that is made up; nothing for figures without a trace.
std::vector<Override> trace_of(const FigureSpec& figure, const std::string& file) {
  if (!figure.trace) return {};
  const auto format = recognised_format(InputFile(file));
  if (!format)
    throw UsageError(fmt::format(
        "{} looks like no trace; put its format and file into [traffic.trace] of {}, and use headway run",
        file, figure.spec.string()));
  auto trace = std::get<Document::Table>(figure.trace->value);
  trace.push_back({"format", "--trace", Document(std::string(*format), "--trace")});
  trace.push_back({"file", "--trace", Document(file, "--trace")});
  return {{"traffic.trace", Document(std::move(trace), "--trace")}};
}

std::vector<Job> prepare(const std::vector<const FigureSpec*>& figures, bool quick,
                         const std::optional<std::string>& trace, const fs::path& out) {
  std::vector<Job> jobs;
  Mistakes mistakes;
  for (const FigureSpec* figure : figures) {
    std::vector<Override> settings = figure->settings;
    if (quick) settings.insert(settings.end(), figure->quick.begin(), figure->quick.end());
    if (trace)
      for (Override& setting : trace_of(*figure, *trace)) settings.push_back(std::move(setting));
    const auto load = figure->saturation ? load_for_search : load_experiment;
    Experiment experiment = load(read_toml(figure->spec), settings);
    std::vector<std::vector<std::size_t>> points_of = points_of_curves(*figure, experiment.points, mistakes);
    const fs::path directory = figures.size() == 1 ? out : out / figure->id;
    jobs.push_back({figure, std::move(experiment), std::move(points_of), directory});
  }
  mistakes.throw_if_any();
  return jobs;
}

// What this command has run already: figures share points.
class Finished {
 public:
  void give(const Job& job, Collection& collection) const {
    for_each_task(job.experiment, [&](const Task& task) {
      const auto found = results_.find(key(job, task));
      if (found != results_.end() && collection.find(task) == nullptr) collection.add(task, found->second);
    });
  }
  void take(const Job& job, const Collection& collection) {
    for_each_task(job.experiment,
                  [&](const Task& task) { results_.try_emplace(key(job, task), *collection.find(task)); });
  }

 private:
  static void for_each_task(const Experiment& experiment, const auto& visit) {
    for (std::size_t point = 0; point < experiment.points.size(); ++point)
      for (int repetition = 0; repetition < experiment.seeds; ++repetition) visit(Task{point, repetition});
  }
  // Figures read files each for themselves, so what was in them counts.
  static std::string key(const Job& job, const Task& task) {
    const Spec spec = job.experiment.points[task.point].spec();
    std::string key = fmt::format("{}{}{}", write_toml(resolved(spec)), task.repetition, job.method());
    for (const InputFile& file : files_of(spec)) key += fmt::format(" {:016x}", file.hash());
    return key;
  }

  std::map<std::string, Result> results_;
};

// The results of a figure's points, over all seeds and of each alone.
struct Results {
  std::vector<Result> all;
  std::vector<std::vector<Result>> of_seed;  // [seed][point]
};

Results simulate(const Job& job, Finished& finished, const Arguments& arguments, Terminal& terminal) {
  Collection::Place place{job.directory, job.method(), {"headway", "paper"}};
  place.command.insert(place.command.end(), arguments.words().begin(), arguments.words().end());
  place.progress = [&](std::uint64_t bytes, std::uint64_t size) {
    terminal.progress(reading_text(bytes, size));
  };
  Collection collection(job.experiment, place);
  collection.resume();
  finished.give(job, collection);
  SweepOptions options;
  if (const auto& search = job.figure->saturation)
    options.run = [&](const Spec& spec, const RunOptions& of_run) {
      return find_saturation(spec, *search, of_run);
    };
  options.jobs = static_cast<unsigned>(arguments.number("--jobs", 1, kMaxJobs).value_or(0));
  options.cancelled = &catch_interrupts();
  if (terminal.talks())
    options.on_progress = [&](const SweepProgress& now) {
      terminal.progress(fmt::format("{}: {}", job.figure->number, progress_text(now)));
    };
  const bool complete = collection.run(options);
  terminal.progress("");
  if (!complete) throw Interrupted{};
  finished.take(job, collection);
  Results results;
  results.of_seed.resize(static_cast<std::size_t>(job.experiment.seeds));
  for (PointResult& point : collection.points()) {
    for (std::size_t seed = 0; seed < point.runs.size(); ++seed)
      results.of_seed[seed].push_back(std::move(point.runs[seed]));
    results.all.push_back(std::move(point.result));
  }
  return results;
}

Results count(const Job& job) {
  fs::create_directories(job.directory);
  std::vector<Result> results;
  for (const Point& point : job.experiment.points) results.push_back(structure(point.spec()));
  return {results, {results}};
}

MadeFigure make(const Paper& paper, const Job& job, Finished& finished, const Arguments& arguments,
                Terminal& terminal, std::vector<FigureCurves>& measured) {
  const Results results = job.figure->simulated ? simulate(job, finished, arguments, terminal) : count(job);
  const auto curves_of = [&](const std::vector<Result>& of_points) {
    return make_curves(*job.figure, job.experiment.points, job.points_of, of_points);
  };
  std::vector<Curve> curves = curves_of(results.all);
  measured.push_back({job.figure->id, {}, job.figure->simulated});
  for (const std::vector<Result>& of_seed : results.of_seed)
    measured.back().of_seed.push_back(curves_of(of_seed));
  const Titles titles = arguments.has("--no-titles") ? Titles::left_out : Titles::shown;
  const FigureFiles files = write_figure(job.directory, paper, *job.figure, curves, titles);
  terminal.print(terminal.bold(fmt::format("{}: {}\n", job.figure->number, job.figure->title)));
  if (job.figure->drawing == Drawing::table)
    terminal.print(figure_table(*job.figure, curves));
  else if (!files.picture.empty())
    terminal.print(fmt::format("  picture  {}{}\n", visible(files.picture.string()),
                               files.print.empty() ? "" : ", " + visible(files.print.string())));
  terminal.print(fmt::format("  data     {}\n", visible(files.data.string())));
  if (!files.problem.empty())
    terminal.warn(fmt::format("{} is not drawn: {}", job.figure->number, files.problem));
  terminal.flush();
  return {job.figure, std::move(curves), files.picture};
}

// Judges the claims whose figures are all there.
std::vector<JudgedClaim> judge_claims(const Paper& paper, const std::vector<FigureCurves>& figures,
                                      bool quick) {
  std::vector<JudgedClaim> judged;
  for (const Claim& claim : paper.claims)
    if (const auto measured = measure(claim, figures))
      judged.push_back({&claim, judge(claim, *measured, quick)});
  return judged;
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
      fmt::format("out/{}{}{}", *key, trace ? "-trace" : "", quick ? "-quick" : ""));

  std::vector<MadeFigure> made;
  std::vector<FigureCurves> measured;
  try {
    Finished finished;
    for (const Job& job : prepare(figures, quick, trace, out))
      made.push_back(make(paper, job, finished, arguments, terminal, measured));
  } catch (const Interrupted&) {
    terminal.warn(fmt::format("stopped; what is finished is in {}, and the same command continues",
                              visible(out.string())));
    return kInterrupted;
  }
  const std::vector<JudgedClaim> claims = judge_claims(paper, measured, quick);
  write_file(out / "claims.json", claims_json(paper, claims, quick));
  if (report) write_report(*report, paper, made, claims);
  terminal.print("\n");
  print(claims, quick, terminal);
  const bool unexpected =
      std::ranges::any_of(claims, [](const JudgedClaim& claim) { return claim.judgement.unexpected; });
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
      .positionals = {{.name = "KEY", .help = "which paper", .required = false}},
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
