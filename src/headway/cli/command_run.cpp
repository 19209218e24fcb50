// SPDX-License-Identifier: Apache-2.0
// headway run: simulates every point of a spec and shows the results as they come.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <exception>
#include <memory>

#include "headway/base/toml.h"
#include "headway/cli/interrupt.h"
#include "headway/cli/progress.h"
#include "headway/cli/results_table.h"
#include "headway/cli/shell_word.h"
#include "headway/cli/spec_arguments.h"
#include "headway/experiment/sweep.h"
#include "headway/io/document_json.h"
#include "headway/io/results.h"
#include "headway/io/results_dir.h"

namespace headway::cli {
namespace {

std::string command_line(const std::vector<std::string>& words) {
  std::string text = "headway run";
  for (const std::string& word : words) text += ' ' + shell_word(word);
  return text;
}

// The results that are there, in the order of the experiment, and where they go as they come.
class Collection {
 public:
  Collection(const Experiment& experiment, const Arguments& arguments, Terminal& terminal)
      : experiment_(experiment),
        terminal_(terminal),
        words_(arguments.words()),
        shows_table_(!arguments.has("--json")),
        table_(experiment_),
        runs_(experiment_.points.size()),
        points_(experiment_.points.size()) {
    if (const auto directory = arguments.value("--out"))
      directory_ = std::make_unique<ResultsDir>(*directory, experiment_, write_toml(experiment_.document));
    for (auto& runs : runs_) runs.resize(static_cast<std::size_t>(experiment_.seeds));
  }

  // Takes what an earlier run left in the directory.
  void resume() {
    print(table_.header());
    if (!directory_) return;
    for (std::size_t point = 0; point < runs_.size(); ++point)
      for (int repetition = 0; repetition < experiment_.seeds; ++repetition)
        if (const Result* result = directory_->find({point, repetition})) take({point, repetition}, *result);
    if (finished_ > 0)
      terminal_.say(fmt::format("{} found in {}", plural(finished_, "finished run"),
                                visible(directory_->path().string())));
  }

  bool has(const Task& task) const { return run_of(task) != nullptr; }

  void add(const Task& task, Result result) {
    if (directory_) directory_->add(task, result);
    take(task, std::move(result));
  }

  // Everything that is complete, in the forms that were asked for.
  void write() {
    const std::vector<PointResult> points = complete_points();
    const std::string json = results_json(to_json(experiment_.document), points);
    if (directory_) directory_->write(points, json, manifest_json(experiment_, points, manifest_command()));
    print(table_.notes());
    if (!shows_table_) terminal_.print(json);
  }

  // After a failure: what is in the directory is safe already.
  void keep() {
    if (!directory_) write();
    explain_incomplete();
  }

  // Why there is less than was asked for, and how to get the rest.
  void explain_incomplete() const {
    const std::string state = fmt::format("{} of {} finished", finished_, plural(tasks(), "run"));
    if (directory_)
      terminal_.warn(fmt::format("{} and kept in {}; continue with:\n  {}", state,
                                 visible(directory_->path().string()), command_line(words_)));
    else
      terminal_.warn(fmt::format("{}; a run with --out DIR can be continued", state));
  }

  void summarise(std::chrono::duration<double> elapsed) const {
    std::string text = fmt::format("{} in {}", plural(points_.size(), "point"), duration_text(elapsed));
    if (directory_) text += fmt::format("; results in {}", visible(directory_->path().string()));
    terminal_.say(text);
  }

 private:
  std::size_t tasks() const { return runs_.size() * static_cast<std::size_t>(experiment_.seeds); }

  const Result* run_of(const Task& task) const {
    const auto& run = runs_[task.point][static_cast<std::size_t>(task.repetition)];
    return run ? &*run : nullptr;
  }

  std::vector<std::string> manifest_command() const {
    std::vector<std::string> command = {"headway", "run"};
    command.insert(command.end(), words_.begin(), words_.end());
    return command;
  }

  void take(const Task& task, Result result) {
    auto& runs = runs_[task.point];
    runs[static_cast<std::size_t>(task.repetition)] = std::move(result);
    ++finished_;
    std::vector<Result> all;
    for (const auto& run : runs) {
      if (!run) return;
      all.push_back(*run);
    }
    points_[task.point] = make_point_result(experiment_.points[task.point], std::move(all));
    for (; shown_ < points_.size() && points_[shown_]; ++shown_)
      print(table_.row(*points_[shown_], terminal_));
  }

  // Rows for the eye. When nobody looks any more the run goes on as long as it is also written to a
  // directory.
  void print(const std::string& text) {
    if (!shows_table_ || closed_) return;
    try {
      terminal_.print(text);
      terminal_.flush();
    } catch (const ClosedPipe&) {
      if (!directory_) throw;
      closed_ = true;
    }
  }

  std::vector<PointResult> complete_points() const {
    std::vector<PointResult> complete;
    for (const auto& point : points_)
      if (point) complete.push_back(*point);
    return complete;
  }

  const Experiment& experiment_;
  Terminal& terminal_;
  const std::vector<std::string>& words_;  // of the command line
  const bool shows_table_;
  bool closed_ = false;  // standard output
  ResultsTable table_;
  std::unique_ptr<ResultsDir> directory_;
  std::vector<std::vector<std::optional<Result>>> runs_;  // [point][repetition]
  std::vector<std::optional<PointResult>> points_;        // [point], once all its runs are there
  std::size_t shown_ = 0;                                 // points that have their row
  std::size_t finished_ = 0;                              // runs
};

int run(const Arguments& arguments, Terminal& terminal) {
  const Experiment experiment = load(arguments);
  Collection collection(experiment, arguments, terminal);
  const std::atomic<bool>& interrupted = catch_interrupts();
  const auto start = std::chrono::steady_clock::now();

  SweepOptions options;
  options.jobs = static_cast<unsigned>(arguments.number("--jobs", 1, kMaxJobs).value_or(0));
  options.check = arguments.has("--check");
  options.cancelled = &interrupted;
  options.known = [&](const Task& task) { return collection.has(task); };
  options.on_result = [&](const Task& task, Result result) { collection.add(task, std::move(result)); };
  if (terminal.talks())
    options.on_progress = [&](const SweepProgress& now) { terminal.progress(progress_text(now)); };

  collection.resume();
  bool complete = false;
  try {
    complete = run_sweep(experiment, options);
  } catch (const ClosedPipe&) {
    throw;
  } catch (...) {
    collection.keep();
    throw;
  }
  terminal.progress("");
  collection.write();
  if (complete) {
    collection.summarise(std::chrono::steady_clock::now() - start);
    return kFine;
  }
  collection.explain_incomplete();
  return kInterrupted;
}

}  // namespace

Command command_run() {
  std::vector<Flag> flags = spec_flags();
  flags.insert(
      flags.end(),
      {{.name = "--jobs", .value = "N", .help = "points simulated at once; default: one per core"},
       {.name = "--out",
        .value = "DIR",
        .help =
            "writes results, series and the resolved spec to DIR; run again, it continues what was stopped",
        .completes = Completes::directories},
       {.name = "--json", .help = "prints one JSON document instead of a table"},
       {.name = "--check", .help = "verifies the simulator's invariants all the time; slower"}});
  return {.name = "run",
          .summary = "simulate every point of a spec",
          .description =
              "Simulates every point of a spec on all cores and prints a row of numbers for each as it is "
              "done. The "
              "same spec and seed give the same bytes, with any number of jobs.\n\n"
              "Latencies of points that did not settle are marked; a deadlock is reported with where it is. "
              "Ctrl-C "
              "keeps what is finished; twice, it stops at once.",
          .positionals = {spec_positional()},
          .flags = flags,
          .examples = {{"headway run my.toml", "a table of the main numbers"},
                       {"headway run my.toml --set switch.queues=8 --out out/queues8",
                        "with one key changed, into files"},
                       {"headway run my.toml --json | jq '.points[].metrics.accepted_load'",
                        "for another program"}},
          .run = run};
}

}  // namespace headway::cli
