// SPDX-License-Identifier: Apache-2.0
// Causes and remedies of a run (python/headway/remedies.py).
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apart.h"
#include "bound_results.h"
#include "headway/base/error.h"
#include "headway/base/units.h"
#include "headway/compile/draft.h"
#include "headway/metrics/rows.h"
#include "headway/remedies/session.h"
#include "headway/remedies/told.h"
#include "headway/run/collection.h"
#include "headway/why/why.h"
#include "module.h"

namespace headway::python {
namespace {

constexpr double kShareOfBase = 0.1;  // of the progress

// What a call asks beside the spec.
struct Asked {
  std::optional<std::string> goal;
  double budget_s;
  SearchOptions search;
  unsigned jobs;
  std::optional<std::filesystem::path> out;
};

// A function of Python that runs drafts on an executor and returns their results as lines of the journal, or
// None for a run that failed. It belongs to the calling thread, which alone calls it; null: there is none.
using OnExecutor = const py::object*;

struct Explained {
  SharedPoint base;  // with the table "remedies"
  SpecDraft spec;    // of the base
  std::string metric = {};
  std::string why = {}, followed = {}, page = {};
  std::vector<FollowedStep> steps = {};
  std::vector<Change> changes = {};  // of the rows of the table
  bool complete = true;
  std::string warning = {};  // empty: none
};

// Tells how far the calls of a session are. Their number is not known before.
class Progress {
 public:
  Progress(Work& work, const std::optional<Session>& session) : work_(work), session_(session) {}

  void of_base(const SweepProgress& now) { tell(kShareOfBase * now.fraction, now); }
  void of_trials(const SweepProgress& now) {
    const double used = session_ ? session_->trials().used() : 0;
    tell(kShareOfBase + (1 - kShareOfBase) * used, now);
  }

 private:
  void tell(double fraction, const SweepProgress& now) {
    const std::size_t before = session_ ? session_->trials().runs() : 0;
    work_.report(fraction, before + now.tasks_done, before + now.tasks);
  }

  Work& work_;
  const std::optional<Session>& session_;
};

PointResult run_base(const Experiment& experiment, const Asked& asked,
                     const std::vector<std::string>& command, Progress& progress, const Work& work,
                     std::string& warning) {
  Collection collection = asked.out ? Collection(experiment, {.directory = *asked.out,
                                                              .command = command,
                                                              .progress = [&](auto, auto) { work.look(); }})
                                    : Collection(experiment);
  collection.resume();
  SweepOptions options;
  options.jobs = asked.jobs;
  options.on_progress = [&](const SweepProgress& now) { progress.of_base(now); };
  options.on_plan = [&](const SweepPlan& plan) { warning = plan.warning; };
  if (!collection.run(options)) throw Cancelled{};
  return std::move(collection.take_points().front());
}

RunElsewhere elsewhere(OnExecutor on_executor, const MemoryFiles& files, Work& work) {
  if (on_executor == nullptr) return {};
  return [on_executor, &files, &work](const std::vector<Document>& specs) {
    // The calling thread can still be at it when this thread stops.
    struct Batch {
      std::vector<SpecDraft> drafts;
      std::vector<std::optional<std::string>> lines;
    };
    const auto batch = std::make_shared<Batch>();
    for (const Document& spec : specs) batch->drafts.emplace_back(spec, files);
    work.ask([on_executor, batch] {
      for (const py::handle line : (*on_executor)(batch->drafts))
        batch->lines.push_back(line.is_none() ? std::nullopt : std::optional(line.cast<std::string>()));
    });
    std::vector<std::optional<Result>> results;
    for (const std::optional<std::string>& line : batch->lines)
      results.push_back(line ? std::optional(read_result(*line)) : std::nullopt);
    return results;
  };
}

// `files` are those of the spec and of the changes to try.
Explained explain(const SpecDraft& draft, const MemoryFiles& files, const Asked& asked,
                  OnExecutor on_executor, Work& work) {
  const std::vector<std::string> command{"headway.remedies"};
  std::optional<Session> session;
  Progress progress(work, session);
  const Experiment experiment =
      load_for_why(draft.document(), {}, {.files = draft.files(), .cancelled = work.stopped()});
  expect_single(experiment);
  std::string warning;
  auto base = std::make_shared<PointResult>(run_base(experiment, asked, command, progress, work, warning));
  Question question{.document = draft.document(), .overrides = {}, .files = files};
  question.goal = asked.goal;
  TrialOptions& options = question.options;
  options.sweep.jobs = asked.jobs;
  options.sweep.cancelled = work.stopped();
  options.sweep.on_progress = [&](const SweepProgress& now) { progress.of_trials(now); };
  options.elsewhere = elsewhere(on_executor, files, work);
  options.most_events = kEventsOfASecond * asked.budget_s;
  options.most_runs = kMostRunsOfTrying;
  options.command = command;
  if (asked.out) options.directory = *asked.out / "runs";
  session.emplace(std::move(question), experiment, base->runs.size() > 1 ? nullptr : base.get());
  Explained all{.base = base, .spec = SpecDraft(experiment.document, draft.files()), .warning = warning};
  all.metric = session->goal().metric;
  all.why = why(*base, kWhyColumns, SuggestRuns::no);
  Followed followed = session->follow();
  all.followed = text_of(sentences_of(followed, session->goal()), kWhyColumns);
  const Found found = session->search(asked.search);
  base->result.tables.insert_or_assign(std::string(RemedyRow::kTable), table_of_remedies(found));
  all.page = page_of_remedies(base->result, kWhyColumns, false);
  all.steps = std::move(followed.steps);
  for (const Tried& row : found.rows) all.changes.push_back(row.change);
  all.complete = followed.complete && found.complete;
  if (asked.out) write_with_remedies(*asked.out, experiment, *base, command);
  return all;
}

py::dict keys_of(const std::vector<Override>& set, const MemoryFiles& files) {
  py::dict keys;
  for (const Override& change : set) keys[py::str(change.key)] = object_of(change.value, files);
  return keys;
}

py::dict dict_of(const FollowedStep& step, const std::vector<Override>& together, const MemoryFiles& files) {
  return py::dict(py::arg("change") = step.change.what, py::arg("kind") = name_of(step.change.kind),
                  py::arg("group") = name_of(step.change.group), py::arg("gain") = step.gain,
                  py::arg("alone") = step.alone, py::arg("needed") = step.needed,
                  py::arg("most_gain") = step.most_gain, py::arg("keys") = keys_of(step.change.set, files),
                  py::arg("together") = keys_of(together, files));
}

py::dict dict_of(const Explained& all, const MemoryFiles& files) {
  py::list steps, keys;
  std::vector<Override> together;
  for (const FollowedStep& step : all.steps) {
    together = merged(together, step.change.set);
    steps.append(dict_of(step, together, files));
  }
  for (const Change& change : all.changes) keys.append(keys_of(change.set, files));
  return py::dict(py::arg("base") = all.base, py::arg("spec") = all.spec, py::arg("goal") = all.metric,
                  py::arg("why") = all.why, py::arg("followed") = all.followed, py::arg("page") = all.page,
                  py::arg("steps") = steps, py::arg("keys") = keys, py::arg("complete") = all.complete,
                  py::arg("warning") = all.warning);
}

double seconds_of(const std::string& budget) {
  const std::optional<Duration> time = parse_duration(budget);
  if (!time || time->ns <= Rational(0))
    throw SpecError({{.key = "budget",
                      .message = "\"" + budget + "\" is not a time",
                      .hint = "for example \"60 s\"",
                      .where = ""}});
  return time->ns.to_double() / 1e9;
}

using Tries = std::vector<std::pair<std::string, py::dict>>;

std::vector<Change> changes_of(const Tries& tries, MemoryFiles& files) {
  std::vector<Change> changes;
  for (const auto& [name, keys] : tries) {
    Change& change = changes.emplace_back(Change{.what = name, .set = {}});
    for (const auto& [key, value] : keys) {
      const auto dotted = key.cast<std::string>();
      change.set.push_back({dotted, document_of(value, dotted, files)});
    }
  }
  return changes;
}

py::dict remedies(const SpecDraft& of_caller, const std::optional<std::string>& goal,
                  const std::string& budget, const Tries& tries, std::size_t seeds, unsigned jobs,
                  const std::optional<std::filesystem::path>& out, const py::object& on_executor,
                  const py::object& on_progress) {
  MemoryFiles files = of_caller.files();
  Asked asked{
      .goal = goal, .budget_s = seconds_of(budget), .search = {.seeds = seeds}, .jobs = jobs, .out = out};
  asked.search.own = changes_of(tries, files);
  const OnExecutor run = on_executor.is_none() ? nullptr : &on_executor;
  const Explained all = run_apart(on_progress, [draft = of_caller, files, asked, run](Work& work) {
    return explain(draft, files, asked, run, work);
  });
  return dict_of(all, files);
}

}  // namespace

void bind_remedies(py::module_& module) {
  module.attr("most_seeds_of_remedies") = kMostSeeds;
  module.def("remedies", &remedies, py::arg("draft"), py::kw_only(), py::arg("goal"), py::arg("budget"),
             py::arg("tries"), py::arg("seeds"), py::arg("jobs"), py::arg("out"), py::arg("on_executor"),
             py::arg("on_progress"));
}

}  // namespace headway::python
