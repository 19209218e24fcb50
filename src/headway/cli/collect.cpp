// SPDX-License-Identifier: Apache-2.0
#include "headway/cli/collect.h"

#include <fmt/format.h>

#include <chrono>
#include <optional>

#include "headway/base/visible.h"
#include "headway/cli/interrupt.h"
#include "headway/cli/progress.h"
#include "headway/cli/results_table.h"
#include "headway/cli/shell_word.h"
#include "headway/run/collection.h"

namespace headway::cli {
namespace {

std::string command_line(std::string_view command, const std::vector<std::string>& words) {
  std::string text = fmt::format("headway {}", command);
  for (const std::string& word : words) text += ' ' + shell_word(word);
  return text;
}

// Standard output during a sweep. If writing to it fails, the sweep continues as long as its results are also
// saved in a directory.
class Output {
 public:
  Output(Terminal& terminal, bool kept) : terminal_(terminal), kept_(kept) {}

  void print(const std::string& text) {
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
  Collection::Place place{*directory, how.method, {"headway", std::string(how.command)}};
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

}  // namespace

std::vector<Flag> collecting_flags() {
  return {{.name = "--jobs",
           .value = "N",
           .help = "number of points simulated in parallel; default: one per core"},
          {.name = "--out",
           .letter = "-o",
           .value = "DIR",
           .help = "writes results, series and the resolved spec to DIR; the same command continues an "
                   "interrupted run",
           .completes = Completes::directories},
          {.name = "--json", .help = "prints a single JSON document instead of a table"}};
}

int collect(const Experiment& experiment, Collecting how, const Arguments& arguments, Terminal& terminal) {
  Collection collection = collection_of(experiment, how, arguments, terminal);
  const ResultsDir* const directory = collection.directory();
  terminal.progress("");
  const bool shows_json = arguments.has("--json");
  const bool shows_table = !shows_json && !how.page;
  ResultsTable table(experiment, how.metrics);
  Output output(terminal, directory != nullptr);
  collection.on_point = [&](const PointResult& point) {
    if (shows_table) output.print(table.row(point, terminal));
    if (!shows_json && how.page) output.print(how.page(point));
  };
  const std::string place = directory == nullptr ? "" : visible(directory->path().string());
  const auto show_rest = [&] {
    if (shows_table) output.print(table.notes());
    if (shows_json) output.print(collection.json());
  };
  // Explains why results are missing, and how to get the rest.
  const auto explain_incomplete = [&] {
    const std::string state =
        fmt::format("{} of {} finished", collection.finished(), plural(collection.runs(), "run"));
    if (directory != nullptr)
      terminal.warn(fmt::format("{} and saved in {}; to continue:\n  {}", state, place,
                                command_line(how.command, arguments.words())));
    else
      terminal.warn(fmt::format("{}; with --out DIR, an interrupted run can be continued", state));
  };

  if (directory == nullptr && keeps_snapshots(experiment))
    terminal.warn("observe.keep has no effect without --out DIR");
  how.options.jobs = static_cast<unsigned>(arguments.number("--jobs", 1, kMaxJobs).value_or(0));
  if (shows_table) output.print(table.header());
  if (directory != nullptr && directory->damaged() > 0)
    terminal.warn(fmt::format("cannot read {} of {}; their results are computed again",
                              plural(directory->damaged(), "line"),
                              visible((directory->path() / "journal.jsonl").string())));
  if (const std::size_t found = collection.resume(); found > 0)
    terminal.say(fmt::format("{} found in {}", plural(found, "finished run"), place));

  how.options.cancelled = &catch_interrupts();
  how.options.on_plan = [&](const SweepPlan& plan) {
    if (!plan.warning.empty()) terminal.warn(plan.warning);
  };
  if (terminal.talks())
    how.options.on_progress = [&](const SweepProgress& now) { terminal.progress(progress_text(now)); };
  const auto start = std::chrono::steady_clock::now();
  bool complete = false;
  try {
    complete = collection.run(how.options);
  } catch (const ClosedPipe&) {
    throw;
  } catch (const OutputError&) {
    throw;
  } catch (...) {
    terminal.progress("");
    show_rest();
    if (collection.finished() > 0) explain_incomplete();
    throw;
  }
  terminal.progress("");
  show_rest();
  if (!complete) explain_incomplete();
  output.throw_if_failed();
  if (!complete) return kInterrupted;
  terminal.say(fmt::format("{} in {}{}", plural(experiment.points.size(), "point"),
                           duration_text(std::chrono::steady_clock::now() - start),
                           directory == nullptr ? "" : fmt::format("; results in {}", place)));
  return kFine;
}

}  // namespace headway::cli
