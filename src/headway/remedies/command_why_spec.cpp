// SPDX-License-Identifier: Apache-2.0
#include "headway/remedies/command_why_spec.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <span>
#include <utility>

#include "headway/base/cancel.h"
#include "headway/base/wrapped.h"
#include "headway/cli/collect.h"
#include "headway/cli/interrupt.h"
#include "headway/cli/progress.h"
#include "headway/cli/spec_arguments.h"
#include "headway/config/toml.h"
#include "headway/io/document_json.h"
#include "headway/io/json.h"
#include "headway/metrics/rows.h"
#include "headway/remedies/session.h"
#include "headway/remedies/told.h"
#include "headway/spec/write_spec.h"
#include "headway/why/why.h"

namespace headway::cli {
namespace {

std::vector<Flag> flags_of_trying() {
  return {
      {.spelled = "--no-runs",
       .help = "says only what the run itself shows, and runs no changes of the spec"},
      {.spelled = "--try [KEY=VALUE]",
       .help =
           "runs changes of the spec and says what each gains and costs: what is there taken away, bounds, "
           "remedies and pairs; with KEY=VALUE, a change of your own, too; {KEY=VALUE, KEY=VALUE} is one "
           "change "
           "of several keys",
       .repeatable = true},
      {.spelled = "--goal METRIC",
       .help = "metric that changes are judged by, as train.completion_ns or others.accepted_load; default: "
               "the completion of the first job, or the load or latency of the flow that suffers"},
      {.spelled = "--budget TIME",
       .help = "how much is simulated for changes, as 30s; a second stands for ten million events, so that "
               "equal calls try the same; default: 5 s, with --try 60 s"},
      {.spelled = "--seeds N",
       .help = "number of seeds for what --try recommends; others than that of the spec are other cases; "
               "default: 3"}};
}

// The keys of a table with their values: {a.b = 1, c = 2} is a.b=1 and c=2.
void add_settings(const Document& value, const std::string& key, std::vector<Override>& set) {
  const auto* const table = value.get<Document::Table>();
  if (table == nullptr) return set.push_back({key, value});
  for (const Document::Member& member : *table)
    add_settings(member.value, key.empty() ? key_text(member.name) : key + '.' + key_text(member.name), set);
}

// A spec that is run: first as it is, then with changes.
class Explaining {
 public:
  Explaining(const Arguments& arguments, Terminal& terminal) : arguments_(arguments), terminal_(terminal) {}

  int run() {
    question_.goal = arguments_.value("--goal");
    question_.options.most_events = kEventsOfASecond * budget_s();
    const std::vector<Change> own = own_changes();
    Experiment experiment =
        load(arguments_, terminal_,
             [this](Document spec, const std::vector<Override>& overrides, const LoadOptions& options) {
               question_.document = spec;
               question_.overrides = overrides;
               question_.files = options.files;
               return load_for_why(std::move(spec), overrides, options);
             });
    select_point(experiment);
    refuse_sweeps(experiment);
    const int code = tell_base(experiment);
    if (code != kFine || !base_ || !follows()) return code;
    return explain(experiment, own);
  }

 private:
  bool tries() const { return arguments_.has("--try"); }
  // A JSON document has the remedies, and all numbers of a run have no conclusion that runs could test.
  bool follows() const {
    if (arguments_.has("--no-runs")) return false;
    return tries() || (!arguments_.has("--all") && !arguments_.has("--json"));
  }

  double budget_s() const {
    const auto given = arguments_.value("--budget");
    if (!given) return tries() ? kBudgetOfTryingS : kBudgetOfFollowingS;
    const std::optional<Duration> time = parse_duration(*given);
    if (!time || time->ns <= Rational(0))
      throw UsageError(fmt::format("--budget needs a time, such as 30s, not '{}'", *given));
    return time->ns.to_double() / 1e9;
  }

  std::vector<Change> own_changes() const {
    std::vector<Change> own;
    for (const std::string& setting : arguments_.values("--try")) {
      if (setting == Flag::kNoValue) continue;
      Change& change = own.emplace_back(Change{.what = setting});
      if (setting.starts_with('{')) {
        add_settings(parse_toml_value(setting, "--try"), "", change.set);
        continue;
      }
      const std::size_t equals = setting.find('=');
      const std::string key = setting.substr(0, equals);
      change.set.push_back({key, parse_toml_value(setting.substr(equals + 1), "--try " + key)});
    }
    return own;
  }

  // A point of a sweep becomes a spec of its own.
  void select_point(Experiment& experiment) {
    if (arguments_.values("--point").size() > 1)
      throw UsageError("a second --point is for a second directory; a spec is explained at one point");
    const auto number = arguments_.number("--point", 1, experiment.points.size());
    if (!number) return;
    question_.document = resolved(experiment.points[*number - 1].spec());
    question_.document.set("seeds", written_seeds(experiment.seeds, experiment.until));
    question_.overrides.clear();
    experiment = load_for_why(question_.document, {}, {.files = question_.files});
  }

  void refuse_sweeps(const Experiment& experiment) const {
    if (experiment.points.size() == 1) return;
    for (const std::string_view flag : {"--try", "--goal", "--budget"})
      if (arguments_.has(flag))
        throw UsageError(
            fmt::format("{} explains one run, but the spec sweeps keys; --point N selects one", flag));
  }

  // The page of every point. Keeps the result of a spec that is one run.
  int tell_base(const Experiment& experiment) {
    Collecting how{.command = "why", .json_later = tries()};
    how.on_result = [this, single = experiment.points.size() == 1](const PointResult& point) {
      if (single) base_ = point;
    };
    how.page = [this, first = true](const PointResult& point) mutable {
      return page_of(point, std::exchange(first, false), arguments_.has("--all"), terminal_,
                     follows() && base_ ? SuggestRuns::no : SuggestRuns::yes);
    };
    return collect(experiment, std::move(how), arguments_, terminal_);
  }

  int explain(const Experiment& experiment, const std::vector<Change>& own) {
    TrialOptions& options = question_.options;
    options.sweep.jobs = static_cast<unsigned>(arguments_.number("--jobs", 1, kMaxJobs).value_or(0));
    options.sweep.cancelled = &catch_interrupts();
    if (terminal_.talks())
      options.sweep.on_progress = [this](const SweepProgress& now) {
        terminal_.progress(progress_text(now));
      };
    options.command = question_command();
    if (const auto directory = arguments_.value("--out"))
      options.directory = std::filesystem::path(*directory) / "runs";
    if (tries()) options.most_runs = kMostRunsOfTrying;
    try {
      Session session(std::move(question_), experiment, base_->runs.size() > 1 ? nullptr : &*base_);
      if (!arguments_.has("--json")) tell_followed(session);
      if (tries()) try_changes(session, own, experiment);
    } catch (const Cancelled&) {
      terminal_.progress("");
      return kInterrupted;
    } catch (const NoResult& reason) {
      if (arguments_.has("--goal")) throw UsageError(reason.what());
      throw;
    }
    return kFine;
  }

  void tell_followed(Session& session) {
    const std::size_t columns = terminal_.text_width(kWhyColumns);
    const Followed followed = session.follow();
    terminal_.progress("");
    const std::string text = text_of(sentences_of(followed, session.goal()), columns);
    if (!text.empty()) terminal_.print("\n" + terminal_.folded(text));
  }

  void try_changes(Session& session, const std::vector<Change>& own, const Experiment& experiment) {
    const Found found = session.search(
        {.seeds = arguments_.number("--seeds", 1, kMostSeeds).value_or(kSeedsByDefault), .own = own});
    terminal_.progress("");
    base_->result.tables.insert_or_assign(std::string(RemedyRow::kTable), table_of_remedies(found));
    if (const auto directory = arguments_.value("--out"))
      write_with_remedies(*directory, experiment, *base_, question_command());
    if (arguments_.has("--json"))
      print_json(experiment);
    else
      terminal_.print("\n" + terminal_.folded(page_of_remedies(
                                 base_->result, terminal_.text_width(kWhyColumns), arguments_.has("--all"))));
  }

  void print_json(const Experiment& experiment) {
    const PointResult* const point = &*base_;
    results_json(json_of(experiment.document).dump(), std::span(&point, 1),
                 [this](std::string_view part) { terminal_.print(part); });
  }

  std::vector<std::string> question_command() const {
    std::vector<std::string> command{"headway", "why"};
    command.insert(command.end(), arguments_.words().begin(), arguments_.words().end());
    return command;
  }

  const Arguments& arguments_;
  Terminal& terminal_;
  Question question_;
  std::optional<PointResult> base_;
};

}  // namespace

std::vector<Flag> flags_of_explaining() {
  return joined({flags_of_trying(), spec_flags(), collecting_flags()});
}

std::string page_of(const PointResult& point, bool first, bool all, const Terminal& terminal,
                    SuggestRuns suggest) {
  const std::size_t columns = terminal.text_width(kWhyColumns);
  const std::string remedies = page_of_remedies(point.result, columns, all);
  return (first ? "" : "\n") + terminal.folded((all ? why_at_length(point) : why(point, columns, suggest)) +
                                               (remedies.empty() ? "" : "\n" + remedies));
}

int explain_spec(const Arguments& arguments, Terminal& terminal) {
  return Explaining(arguments, terminal).run();
}

}  // namespace headway::cli
