// SPDX-License-Identifier: Apache-2.0
#include "headway/cli/collect.h"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "headway/base/plural.h"
#include "headway/base/shell_word.h"
#include "headway/base/visible.h"
#include "headway/cli/interrupt.h"
#include "headway/cli/progress.h"
#include "headway/cli/results_table.h"
#include "headway/run/collection.h"
#include "headway/run/results_dir.h"

namespace headway::cli {
namespace {

// Standard output during a sweep. If writing to it fails, the sweep continues as long as its results are also
// saved in a directory.
class Output {
 public:
  Output(Terminal& terminal, bool kept) : terminal_(terminal), kept_(kept) {}

  void print(std::string_view text) {
    if (closed_) return;
    try {
      terminal_.print(text);
      terminal_.flush();
    } catch (const ClosedPipe&) {
      if (!kept_) throw;
      closed_ = true;
    } catch (const OutputError& error) {
      if (!kept_) throw;
      closed_ = true;
      failure_ = error;
    }
  }
  void throw_if_failed() const {
    if (failure_) throw *failure_;
  }

 private:
  Terminal& terminal_;
  bool kept_;
  bool closed_ = false;
  std::optional<OutputError> failure_;
};

Collection collection_of(const Experiment& experiment, const Collecting& how, const Arguments& arguments,
                         Terminal& terminal) {
  const auto directory = arguments.value("--out");
  if (!directory) return Collection(experiment);
  Collection::Place place{
      .directory = *directory, .command = {"headway", std::string(how.command)}, .shard = how.shard};
  place.command.insert(place.command.end(), arguments.words().begin(), arguments.words().end());
  place.progress = [&](std::uint64_t bytes, std::uint64_t size) {
    terminal.progress(reading_text(bytes, size));
  };
  return {experiment, place};
}

bool keeps_snapshots(const Experiment& experiment) {
  return std::ranges::any_of(experiment.points, [](const Point& point) {
    const Spec spec = point.spec();
    const auto* const event_driven = std::get_if<EventSpec>(&spec);
    return event_driven != nullptr && event_driven->observe.keep;
  });
}

// Before a directory is made: nothing may be there if an argument is wrong.
Collecting with_numbers(Collecting how, const Arguments& arguments) {
  SweepOptions& options = how.options;
  options.jobs = static_cast<unsigned>(arguments.number("--jobs", 1, kMaxJobs).value_or(options.jobs));
  options.threads =
      static_cast<unsigned>(arguments.number("--threads", 1, kMaxThreads).value_or(options.threads));
  return how;
}

// One call of collect(): decides what is printed and where results are stored.
class Collector {
 public:
  Collector(const Experiment& experiment, Collecting how, const Arguments& arguments, Terminal& terminal)
      : experiment_(experiment),
        how_(with_numbers(std::move(how), arguments)),
        arguments_(arguments),
        terminal_(terminal),
        collection_(collection_of(experiment, how_, arguments, terminal)),
        directory_(collection_.directory()),
        place_(directory_ == nullptr ? "" : visible(directory_->path().string())),
        shows_json_(arguments.has("--json")),
        shows_table_(!shows_json_ && !how_.page && !how_.shard),
        table_(experiment, terminal.width(), how_.metrics),
        output_(terminal, directory_ != nullptr) {
    terminal_.progress("");
    collection_.on_point = [this](const PointResult& point) { show(point); };
  }

  int run() {
    set_options();
    begin();
    const auto start = std::chrono::steady_clock::now();
    const bool complete = run_all();
    terminal_.progress("");
    show_rest();
    if (!complete) explain_incomplete();
    if (arguments_.has("--threads"))
      for (const std::string& reason : one_thread_)
        terminal_.say(fmt::format("simulated on one thread, because {}", reason));
    if (how_.options.skip)
      for (const std::string& reason : no_skip_)
        terminal_.say(fmt::format("every packet of the long messages was simulated, because {}", reason));
    output_.throw_if_failed();
    if (!complete) return kInterrupted;
    if (how_.shard) {
      output_.print(fmt::format("{}: done after {}\n", shard_text(),
                                duration_text(std::chrono::steady_clock::now() - start)));
      return kFine;
    }
    terminal_.say(fmt::format("{} in {}{}", plural(experiment_.points.size(), "point"),
                              duration_text(std::chrono::steady_clock::now() - start),
                              directory_ == nullptr ? "" : fmt::format("; results in {}", place_)));
    return kFine;
  }

 private:
  void show(const PointResult& point) {
    for (const Result& run : point.runs) {
      if (!run.one_thread.empty()) one_thread_.insert(run.one_thread);
      if (run.long_messages && !run.no_skip.empty()) no_skip_.insert(run.no_skip);
    }
    if (how_.on_result) how_.on_result(point);
    if (shows_table_) output_.print(table_.row(point, terminal_));
    if (!shows_json_ && how_.page) output_.print(how_.page(point));
  }

  void show_rest() {
    if (shows_table_) output_.print(table_.by_name() + terminal_.folded(table_.notes(!terminal_.quiet())));
    if (shows_json_ && !how_.json_later)
      collection_.json([this](std::string_view part) { output_.print(part); });
  }

  std::string shard_text() const { return fmt::format("shard {}/{}", how_.shard->number, how_.shard->of); }

  // Explains why results are missing, and how to get the rest.
  void explain_incomplete() {
    const std::string state =
        how_.shard
            ? fmt::format("{}: {} missing; the others are finished", shard_text(),
                          plural(collection_.missing_runs(), "run"))
            : fmt::format("{} of {} finished", collection_.finished(), plural(collection_.runs(), "run"));
    if (directory_ != nullptr)
      terminal_.warn(fmt::format("{} and saved in {}; to continue:\n  headway {} {}", state, place_,
                                 how_.command, shell_words(arguments_.words())));
    else
      terminal_.warn(fmt::format("{}; with --out DIR, an interrupted run can be continued", state));
  }

  // Prints the table's header and the results that the directory already has.
  void begin() {
    if (directory_ == nullptr && keeps_snapshots(experiment_))
      terminal_.warn("observe.keep has no effect without --out DIR");
    if (directory_ != nullptr && !directory_->locked())
      terminal_.warn(fmt::format(
          "the file system of {} has no locks, so another process that simulates the same runs is not "
          "found; nothing is lost then, but the runs are simulated twice",
          place_));
    if (shows_table_) output_.print(table_.header());
    if (directory_ != nullptr && directory_->damaged() > 0)
      terminal_.warn(fmt::format("cannot read {} of {}; their results are computed again",
                                 plural(directory_->damaged(), "line"),
                                 visible((directory_->path() / "journal.jsonl").string())));
    const std::size_t found = collection_.resume();
    if (how_.shard)
      output_.print(fmt::format("{}: {} to simulate, {} there already\n", shard_text(),
                                plural(collection_.missing_runs(), "run"), found));
    else if (found > 0)
      terminal_.say(fmt::format("{} of {} reused from {}", found, plural(collection_.runs(), "run"), place_));
    if (directory_ != nullptr && directory_->had_another() && directory_->others() > 0)
      terminal_.warn(
          fmt::format("{} now describes this experiment; {} of other experiments {} in its journal", place_,
                      plural(directory_->others(), "run"), directory_->others() == 1 ? "stays" : "stay"));
  }

  void set_options() {
    how_.options.cancelled = &catch_interrupts();
    how_.options.on_stuck = [this] {
      terminal_.progress("");
      show_rest();
      explain_incomplete();
      terminal_.flush();
      end_interrupted();
    };
    how_.options.on_plan = [this](const SweepPlan& plan) {
      if (!plan.warning.empty()) terminal_.warn(plan.warning);
    };
    if (terminal_.talks())
      how_.options.on_progress = [this](const SweepProgress& now) { terminal_.progress(progress_text(now)); };
  }

  // Returns false if it was interrupted. If a run fails, the other results are shown before the error.
  bool run_all() {
    try {
      return collection_.run(how_.options);
    } catch (const ClosedPipe&) {
      throw;
    } catch (const OutputError&) {
      throw;
    } catch (...) {
      terminal_.progress("");
      show_rest();
      if (collection_.finished() > 0) explain_incomplete();
      throw;
    }
  }

  const Experiment& experiment_;
  Collecting how_;
  const Arguments& arguments_;
  Terminal& terminal_;
  Collection collection_;
  const ResultsDir* directory_;
  std::string place_;
  bool shows_json_;
  bool shows_table_;
  ResultsTable table_;
  Output output_;
  std::set<std::string> one_thread_;  // reasons why runs used one thread
  std::set<std::string> no_skip_;     // reasons why runs with long messages skip nothing
};

}  // namespace

std::vector<Flag> collecting_flags() {
  return {
      {.spelled = "-j, --jobs N", .help = "number of points simulated in parallel; default: one per core"},
      {.spelled = "--threads N",
       .help = "number of threads that simulate a point together; default: the cores that fewer points than "
               "cores leave. The results do not depend on it"},
      {.spelled = "-o, --out DIR",
       .help = "writes results, series and the resolved spec to DIR; runs that DIR already has are not "
               "repeated, so the same command continues an interrupted run, and more points or seeds cost "
               "only what is new; a killed program loses no finished run, and a machine that stops loses "
               "those of the last second at most"},
      {.spelled = "--json", .help = "prints a single JSON document instead of a table"}};
}

int collect(const Experiment& experiment, Collecting how, const Arguments& arguments, Terminal& terminal) {
  return Collector(experiment, std::move(how), arguments, terminal).run();
}

}  // namespace headway::cli
