// SPDX-License-Identifier: Apache-2.0
#include "headway/papers/reproduce.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <utility>

#include "headway/base/error.h"
#include "headway/compile/load.h"
#include "headway/compile/structure.h"
#include "headway/config/toml.h"
#include "headway/io/atomic_file.h"
#include "headway/run/collection.h"
#include "headway/run/saturation.h"
#include "headway/trace/format.h"

namespace headway {
namespace {

namespace fs = std::filesystem;

// A figure with its experiment, which is checked before any figure runs.
struct FigureJob {
  const FigureSpec* figure;
  Experiment experiment;
  std::vector<std::vector<std::size_t>> points_of;  // [curve]
  fs::path directory;
};

// Overrides that replace the synthetic trace by the user's; empty for figures without a trace.
std::vector<Override> trace_of(const FigureSpec& figure, const std::string& file, Mistakes& mistakes) {
  if (!figure.trace) return {};
  const auto format = recognised_format(InputFile(file));
  if (!format) {
    mistakes.add("--trace", fmt::format("the format of {} is not recognised", file),
                 fmt::format("give its format and file in [traffic.trace] of {} and use headway run",
                             figure.spec.string()));
    return {};
  }
  auto trace = std::get<Document::Table>(figure.trace->value);
  trace.push_back({"format", "--trace", Document(std::string(*format), "--trace")});
  trace.push_back({"file", "--trace", Document(file, "--trace")});
  return {{"traffic.trace", Document(std::move(trace), "--trace")}};
}

std::vector<FigureJob> prepare(const std::vector<const FigureSpec*>& figures,
                               const ReproduceOptions& options) {
  std::vector<FigureJob> jobs;
  Mistakes mistakes;
  for (const FigureSpec* figure : figures) {
    std::vector<Override> settings = figure->settings;
    if (options.quick) settings.insert(settings.end(), figure->quick.begin(), figure->quick.end());
    if (options.trace)
      for (Override& setting : trace_of(*figure, *options.trace, mistakes))
        settings.push_back(std::move(setting));
    mistakes.throw_if_any();
    Experiment experiment = experiment_of(*figure, settings);
    if (experiment.until)
      throw SpecError("seeds", "a figure of a paper needs the same number of seeds at every point",
                      "write for example seeds = 5", figure->spec.string());
    std::erase_if(experiment.points, [&](const Point& point) { return !matches(figure->where, point); });
    std::vector<std::vector<std::size_t>> points_of = points_of_curves(*figure, experiment.points, mistakes);
    const fs::path directory = figures.size() == 1 ? options.directory : options.directory / figure->id;
    jobs.push_back({figure, std::move(experiment), std::move(points_of), directory});
  }
  mistakes.throw_if_any();
  return jobs;
}

// The results of finished runs, for other figures with the same points.
class Finished {
 public:
  void give(const FigureJob& job, Collection& collection) const {
    for (const Task& task : all_tasks(job.experiment)) {
      const auto found = results_.find(collection.key(task));
      if (found != results_.end() && collection.find(task) == nullptr) collection.add(task, found->second);
    }
  }
  void take(const FigureJob& job, const Collection& collection) {
    for (const Task& task : all_tasks(job.experiment))
      results_.try_emplace(collection.key(task), *collection.find(task));
  }
  // A run that several figures share counts once.
  double cpu_s() const {
    double seconds = 0;
    for (const auto& [key, result] : results_) seconds += result.cpu_s;
    return seconds;
  }

 private:
  std::map<std::uint64_t, Result> results_;  // by key
};

// The results of a figure's points, combined over all seeds and for each seed.
struct Results {
  std::vector<Result> all;
  std::vector<std::vector<Result>> of_seed;  // [seed][point]
  std::vector<Origin> origins = {};          // of all
};

// Nullopt if cancelled.
std::optional<Results> simulate(const FigureJob& job, Finished& finished, const ReproduceOptions& options) {
  Collection collection(job.experiment, {job.directory, options.command, options.on_read});
  collection.resume();
  finished.give(job, collection);
  SweepOptions sweep;
  sweep.jobs = options.jobs;
  sweep.cancelled = options.cancelled;
  sweep.on_stuck = options.on_stuck;
  if (options.on_progress)
    sweep.on_progress = [&](const SweepProgress& now) { options.on_progress(*job.figure, now); };
  if (!collection.run(sweep)) return std::nullopt;
  finished.take(job, collection);
  Results results;
  results.of_seed.resize(static_cast<std::size_t>(job.experiment.seeds));
  for (PointResult& point : collection.take_points()) {
    results.origins.push_back({static_cast<int>(point.runs.size()), point.names});
    for (std::size_t seed = 0; seed < point.runs.size(); ++seed)
      results.of_seed[seed].push_back(std::move(point.runs[seed]));
    results.all.push_back(std::move(point.result));
  }
  return results;
}

Results count(const FigureJob& job) {
  fs::create_directories(job.directory);
  std::vector<Result> results;
  for (const Point& point : job.experiment.points)
    results.push_back(structure(std::get<EventSpec>(point.spec())));
  return {results, {results}};
}

FigureCurves curves_by_seed(const FigureJob& job, const Results& results) {
  FigureCurves curves{job.figure->id, {}, job.figure->simulated};
  for (const std::vector<Result>& of_seed : results.of_seed)
    curves.of_seed.push_back(make_curves(*job.figure, job.experiment.points, job.points_of, of_seed));
  return curves;
}

std::vector<JudgedClaim> judge_claims(const Paper& paper, const std::vector<FigureCurves>& figures,
                                      bool quick) {
  std::vector<JudgedClaim> judged;
  for (const Claim& claim : paper.claims)
    if (const auto measured = measure(claim, figures))
      judged.push_back({&claim, judge(claim, *measured, quick)});
  return judged;
}

}  // namespace

Experiment experiment_of(const FigureSpec& figure, const std::vector<Override>& settings) {
  Document spec = read_toml(figure.spec);
  return figure.saturation ? load_for_search(std::move(spec), *figure.saturation, settings)
                           : load_experiment(std::move(spec), settings);
}

Reproduction reproduce(const Paper& paper, const std::vector<const FigureSpec*>& figures,
                       const ReproduceOptions& options) {
  Reproduction made;
  std::vector<FigureCurves> measured;
  Finished finished;
  for (const FigureJob& job : prepare(figures, options)) {
    const std::optional<Results> results =
        job.figure->simulated ? simulate(job, finished, options) : count(job);
    if (!results) return {};
    measured.push_back(curves_by_seed(job, *results));
    std::vector<Curve> curves =
        make_curves(*job.figure, job.experiment.points, job.points_of, results->all, results->origins);
    FigureFiles files = write_figure(job.directory, paper, *job.figure, curves, options.titles);
    made.figures.push_back({job.figure, std::move(curves), std::move(files)});
    if (options.on_figure) options.on_figure(made.figures.back());
  }
  made.claims = judge_claims(paper, measured, options.quick);
  made.cpu_s = finished.cpu_s();
  write_file(options.directory / "claims.json", claims_json(paper, made.claims, options.quick));
  made.complete = true;
  return made;
}

}  // namespace headway
