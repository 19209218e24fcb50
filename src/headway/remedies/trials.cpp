// SPDX-License-Identifier: Apache-2.0
#include "headway/remedies/trials.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "headway/base/cancel.h"
#include "headway/base/shell_word.h"
#include "headway/compile/load.h"
#include "headway/metrics/metric_names.h"
#include "headway/run/collection.h"

namespace headway {
namespace {

// Two trials with equal keys are the same run.
std::string key_of(const TrialSpec& spec) {
  std::string key = fmt::format("{} {}", spec.seed, static_cast<int>(spec.account));
  for (const Override& change : spec.set) key += fmt::format("\n{}={}", change.key, to_text(change.value));
  return key;
}

Document flag(bool value) { return Document(value); }

// What a run needs beside its changes.
std::vector<Override> measured(Account account) {
  Document::Array tables;
  if (account == Account::path) tables.emplace_back(std::string("critical-path"));
  return {{"observe.waiting", flag(account == Account::photos)},
          {"observe.keep", flag(false)},
          {"measure.alone", flag(false)},
          {"measure.tables", Document(std::move(tables))},
          {"seeds", Document(std::int64_t{1})}};
}

}  // namespace

Trials::Trials(Document spec, std::vector<Override> overrides, MemoryFiles files, TrialOptions options)
    : document_(std::move(spec)),
      overrides_(std::move(overrides)),
      files_(std::move(files)),
      options_(std::move(options)) {
  experiment_.memo = memo_;
  experiment_.files = files_;
}

const Trial* Trials::find(const TrialSpec& spec) const {
  const std::string key = key_of(spec);
  const auto found =
      std::ranges::find_if(trials_, [&](const Trial& trial) { return key_of(trial.of) == key; });
  return found == trials_.end() ? nullptr : &*found;
}

bool Trials::may_run(std::size_t more) const {
  return runs_ + more <= options_.most_runs &&
         events_ + static_cast<double>(more) * events_of_base_ <= options_.most_events;
}

double Trials::used() const {
  return std::min(1.0, std::max(static_cast<double>(runs_) / static_cast<double>(options_.most_runs),
                                events_ / options_.most_events));
}

Experiment Trials::loaded(const TrialSpec& spec) const {
  std::vector<Override> all = overrides_;
  const std::vector<Override> extra = measured(spec.account);
  all.insert(all.end(), extra.begin(), extra.end());
  all.push_back({"seed", Document(static_cast<std::int64_t>(spec.seed))});
  all.insert(all.end(), spec.set.begin(), spec.set.end());
  if (options_.limit && !spec.set.empty())
    all.push_back({"measure.limit", Document(to_string(*options_.limit))});
  return load_experiment(document_, all,
                         {.files = files_, .cancelled = options_.sweep.cancelled, .memo = memo_});
}

bool Trials::accepts(const std::vector<Override>& set) const try {
  return loaded({.set = set}).points.size() == 1;
} catch (const SpecError&) {
  return false;
}

const Trial& Trials::know(const TrialSpec& spec, PointResult point) {
  Trial& trial = trials_.emplace_back(Trial{.of = spec, .point = std::move(point)});
  trial.events = events_of_base_ = trial.result()->metric(metrics::events);
  return trial;
}

void Trials::load(Trial& trial) {
  try {
    Experiment of_trial = loaded(trial.of);
    if (of_trial.points.size() != 1) {
      trial.why_not = "it sweeps keys";
      return;
    }
    Point& point = of_trial.points.front();
    point.params = {{"change", trial.of.name.empty() ? "none" : trial.of.name},
                    {"seed", fmt::format("{}", trial.of.seed)}};
    experiment_.need.include(of_trial.need);
    if (experiment_.points.empty()) experiment_.document = of_trial.document;
    experiment_.points.push_back(std::move(point));
    placed_.push_back(&trial);
  } catch (const SpecError& error) {
    const Mistake& first = error.mistakes().front();
    trial.why_not = first.key.empty() ? first.message : fmt::format("{}: {}", first.key, first.message);
  }
}

void Trials::simulate(const std::vector<Trial*>& fresh) {
  const std::size_t before = experiment_.points.size();
  for (Trial* const trial : fresh) load(*trial);
  if (experiment_.points.size() == before) return;
  // Without a directory, only the new points are run.
  Experiment of_batch = experiment_;
  std::vector<Trial*> trials = placed_;
  if (!options_.directory) {
    const auto first = static_cast<std::ptrdiff_t>(before);
    of_batch.points.erase(of_batch.points.begin(), of_batch.points.begin() + first);
    trials.erase(trials.begin(), trials.begin() + first);
  }
  Collection collection =
      options_.directory
          ? Collection(of_batch, {.directory = *options_.directory, .command = options_.command})
          : Collection(of_batch);
  collection.resume();
  const std::string failure = run_missing(collection, trials);
  for (std::size_t point = 0; point < trials.size(); ++point) {
    Trial& trial = *trials[point];
    if (trial.point) continue;
    const Result* const result = collection.find({point, 0});
    if (result == nullptr) {
      trial.why_not = failure;
      continue;
    }
    trial.point = make_point_result(of_batch.points[point], {*result});
    trial.events = result->metric(metrics::events);
    events_ += trial.events;
    cpu_s_ += result->cpu_s;
    ++runs_;
    if (trial.of.set.empty()) events_of_base_ = trial.events;
  }
}

std::string Trials::run_missing(Collection& collection, std::span<Trial* const> trials) const {
  if (!options_.elsewhere) try {
      if (!collection.run(options_.sweep)) throw Cancelled{};
      return "";
    } catch (const PointError& error) {
      return error.what();
    }
  const std::vector<Task> missing = collection.missing();
  std::vector<Document> specs;
  for (const Task& task : missing) specs.push_back(loaded(trials[task.point]->of).document);
  std::vector<std::optional<Result>> results = options_.elsewhere(specs);
  std::string failure;
  for (std::size_t i = 0; i < missing.size(); ++i)
    if (results[i])
      collection.add(missing[i], std::move(*results[i]));
    else
      failure = "its run failed";
  collection.write();
  return failure;
}

std::vector<const Trial*> Trials::run(const std::vector<TrialSpec>& specs) {
  std::vector<Trial*> fresh;
  for (const TrialSpec& spec : specs)
    if (find(spec) == nullptr) fresh.push_back(&trials_.emplace_back(Trial{.of = spec, .point = {}}));
  simulate(fresh);
  std::vector<const Trial*> found;
  for (const TrialSpec& spec : specs) found.push_back(find(spec));
  return found;
}

std::string settings_text(const std::vector<Override>& set) {
  std::string text;
  for (const Override& change : set)
    text += fmt::format("{}--set {}", text.empty() ? "" : " ",
                        shell_word(fmt::format("{}={}", change.key, to_text(change.value))));
  return text;
}

}  // namespace headway
