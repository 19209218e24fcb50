// SPDX-License-Identifier: Apache-2.0
#include "headway/remedies/told.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "headway/base/plural.h"
#include "headway/base/wrapped.h"
#include "headway/metrics/rows.h"
#include "headway/remedies/chart.h"
#include "headway/why/waiting_words.h"

namespace headway {
namespace {

constexpr std::size_t kMostRemedies = 6;  // that are told
constexpr std::size_t kMostPairs = 2;

// "without storage", "with random paths"
std::string with(const Change& change) {
  return change.what.starts_with("without ") ? change.what : "with " + change.what;
}

std::string changes_text(const std::vector<const FollowedStep*>& steps) {
  std::vector<std::string> names;
  for (const FollowedStep* const step : steps) names.push_back(with(step->change));
  return and_list(names);
}

std::vector<const FollowedStep*> steps_with(const Followed& followed, bool needed) {
  std::vector<const FollowedStep*> steps;
  for (const FollowedStep& step : followed.steps)
    if (step.needed == needed) steps.push_back(&step);
  return steps;
}

class Page {
 public:
  Page(const Result& result, std::size_t columns, bool all)
      : result_(result), rows_(rows_in<RemedyRow>(result)), columns_(columns), all_(all) {
    const auto has_line = [this](const RemedyRow& row) {
      return was_run(row) && (helps(row) || is(row, ChangeKind::own) || !ends());
    };
    for (const RemedyRow& row : rows_)  // names of pairs are long
      if (has_line(row) && !is(row, ChangeKind::pair))
        width_ = std::max(width_, std::min(kMostWidth, row.change.size()));
  }

  std::string text() {
    if (rows_.empty()) return "";
    head();
    list(ChangeKind::cause, kMostRemedies);
    list(ChangeKind::bound, kMostRemedies);
    list(ChangeKind::remedy, kMostRemedies);
    list(ChangeKind::pair, kMostPairs);
    list(ChangeKind::own, rows_.size());
    if (!ends()) endings();
    summary("no effect", [](const RemedyRow& row) { return !helps(row) && !harms(row); });
    summary("worse", [](const RemedyRow& row) { return harms(row); });
    skipped();
    if (std::ranges::any_of(rows_, [](const RemedyRow& row) { return row.skipped == kOverBudget; }))
      text_ += wrapped("The budget ended before all changes were tried; --budget gives more.", 0, columns_);
    return std::move(text_);
  }

 private:
  static constexpr std::size_t kMostWidth = 52;
  static constexpr int kLabel = 7;

  bool ends() const { return !std::isnan(rows_.front().base); }

  void head() {
    const auto runs = static_cast<std::size_t>(std::ranges::count_if(rows_, was_run));
    const double effect = rows_.front().effect;
    text_ += wrapped(
        fmt::format(
            "What changes {}: {}, each with one change and the same seed. Effects below {} are none{}. "
            "[run]",
            rows_.front().metric, plural(runs, "run"), percent(effect),
            effect > kNoEffect ? ", because a neutral change has half of that" : ""),
        0, columns_);
  }

  template <class Condition>
  std::vector<const RemedyRow*> rows_with(Condition&& condition) const {
    std::vector<const RemedyRow*> rows;
    for (const RemedyRow& row : rows_)
      if (condition(row)) rows.push_back(&row);
    return rows;
  }

  void list(ChangeKind kind, std::size_t most) {
    std::vector<const RemedyRow*> rows = rows_with([&](const RemedyRow& row) {
      return is(row, kind) && was_run(row) && (helps(row) || kind == ChangeKind::own);
    });
    std::ranges::stable_sort(rows, std::ranges::greater(),
                             [](const RemedyRow* row) { return std::isnan(row->gain) ? 0 : row->gain; });
    if (all_)
      most = rows.size();
    else if (kind == ChangeKind::remedy)
      best_of_each_group_first(rows);
    const std::size_t told = std::min(rows.size(), most);
    for (const RemedyRow* const row : std::span(rows).first(told)) line(*row);
    if (rows.size() > told)
      text_ += fmt::format("  {:<{}} and {}\n", "", kLabel,
                           plural(rows.size() - told, fmt::format("other {}", name_of(kind))));
  }

  void line(const RemedyRow& row) {
    std::vector<std::string> notes;
    for (std::string note : {range_text(row), costs_text(row, result_)})
      if (!note.empty()) notes.push_back(std::move(note));
    const std::string words = words_for_gain(row);
    std::string line = fmt::format("  {:<{}} {:<{}}  {}", row.kind, kLabel, row.change, width_,
                                   words.empty() ? gain_text(row.metric, row.gain) : words);
    if (!notes.empty()) line += fmt::format("   ({})", fmt::join(notes, "; "));
    text_ += line + '\n';
    if (all_) text_ += fmt::format("  {:<{}} {}\n", "", kLabel, row.settings);
  }

  // The base is deadlocked: a run that ends proves nothing, unless the routes have no cycle.
  void endings() {
    for (const RemedyRow& row : rows_) {
      if (!was_run(row) || row.status == name_of(Status::deadlock) || is(row, ChangeKind::bound)) continue;
      text_ += fmt::format("  {:<{}} {:<{}}  {}\n", "ends", kLabel, row.change, width_, ending_text(row));
    }
  }

  template <class Condition>
  void summary(std::string_view label, Condition&& condition) {
    if (!ends()) return;
    std::vector<std::string_view> names;
    for (const RemedyRow& row : rows_)
      if (was_run(row) && !is(row, ChangeKind::own) && !is(row, ChangeKind::pair) && condition(row))
        names.push_back(row.change);
    if (names.empty()) return;
    text_ += wrapped(fmt::format("{}: {}.", label, fmt::join(names, "; ")), 2, columns_);
  }

  void skipped() {
    for (const std::string& sentence : skipped_sentences(rows_, all_ ? "" : "--all says why"))
      text_ += wrapped(sentence, 2, columns_);
  }

  const Result& result_;
  std::vector<RemedyRow> rows_;
  std::size_t columns_;
  bool all_;
  std::size_t width_ = 0;
  std::string text_;
};

}  // namespace

std::vector<Sentence> sentences_of(const Followed& followed, const Goal& goal) {
  Told told;
  const std::vector<const FollowedStep*> needed = steps_with(followed, true);
  if (followed.runs == 0) return {};
  const std::string runs = plural(followed.runs, "run");
  const std::string who = goal.of.empty() ? goal.metric : goal.of;
  const std::string_view over = "The budget ended before all was tried; --budget gives more.";
  if (needed.empty()) {
    told.say(Support::run, "Measured in {}: nothing that was taken away changes {}.{}{}", runs, who,
             followed.complete ? "" : " ", followed.complete ? "" : over);
    return told.take();
  }
  std::vector<std::string> chain;
  for (const FollowedStep* const step : needed)
    chain.push_back(chain.empty()
                        ? fmt::format("{}, {} {} {}", with(step->change), who,
                                      goal.more_is_better ? "gets" : "is", gain_text(goal.metric, step->gain))
                        : fmt::format("{}, too, {} times", with(step->change), factor_text(step->gain)));
  told.say(Support::run, "Measured in {}: {}.", runs, fmt::join(chain, "; "));
  if (needed.size() > 1) {
    std::vector<std::string> alone;
    bool any = false, all_known = true;
    for (const FollowedStep* const step : needed) {
      if (std::isnan(step->alone)) {
        all_known = false;
        continue;
      }
      any |= step->alone >= 1 + goal.least_effect();
      alone.push_back(fmt::format("{} {}", with(step->change), gain_text(goal.metric, step->alone)));
    }
    if (!any && all_known)
      told.say(Support::run, "Only together: each of these alone gains nothing.");
    else if (!alone.empty())
      told.say(Support::run, "Alone: {}.", fmt::join(alone, "; "));
  }
  // A remedy that gains nothing takes nothing away.
  std::vector<const FollowedStep*> symptoms = steps_with(followed, false);
  std::erase_if(symptoms, [](const FollowedStep* step) { return step->change.kind != ChangeKind::cause; });
  if (!symptoms.empty())
    told.say(Support::run, "Not needed in the end: {}. What {} away was a symptom.", changes_text(symptoms),
             symptoms.size() == 1 ? "this takes" : "these take");
  if (!followed.rest.empty()) told.say("What remains then: {}.", followed.rest);
  if (!followed.complete) told.say(Support::run, "{}", over);
  return told.take();
}

std::string page_of_remedies(const Result& result, std::size_t columns, bool all) {
  return Page(result, columns, all).text();
}

}  // namespace headway
