// SPDX-License-Identifier: Apache-2.0
#include "headway/remedies/told.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <utility>

#include "headway/base/plural.h"
#include "headway/base/wrapped.h"
#include "headway/metrics/rows.h"
#include "headway/why/waiting_words.h"

namespace headway {
namespace {

constexpr std::size_t kMostRemedies = 6;  // that are told
constexpr std::size_t kMostPairs = 2;
constexpr double kHarm = 0.95;    // gain of another flow or job that is told
constexpr double kAsGood = 0.02;  // difference of gains of a range that is not told

std::string number(double gain) {
  return gain >= 100 ? fmt::format("{:.0f}", gain) : fmt::format("{:.3g}", gain);
}

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
  Page(std::vector<RemedyRow> rows, std::size_t columns, bool all)
      : rows_(std::move(rows)), columns_(columns), all_(all) {
    for (const RemedyRow& row : rows_)
      if (was_run(row)) width_ = std::max(width_, std::min(kMostWidth, row.change.size()));
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
    summary("no effect", [this](const RemedyRow& row) { return !helps(row) && !harms(row); });
    summary("worse", [this](const RemedyRow& row) { return harms(row); });
    skipped();
    if (std::ranges::any_of(rows_, [](const RemedyRow& row) { return row.skipped == kOverBudget; }))
      text_ += wrapped("The budget ended before all changes were tried; --budget gives more.", 0, columns_);
    return std::move(text_);
  }

 private:
  static constexpr std::size_t kMostWidth = 52;
  static constexpr int kLabel = 7;
  static constexpr std::size_t kManySkipped = 4;

  static bool was_run(const RemedyRow& row) { return row.skipped.empty(); }
  static bool is(const RemedyRow& row, ChangeKind kind) { return row.kind == name_of(kind); }
  bool ends() const { return !std::isnan(rows_.front().base); }
  static bool helps(const RemedyRow& row) { return row.gain >= 1 + row.effect; }
  static bool harms(const RemedyRow& row) { return !(row.gain > 1 / (1 + row.effect)); }

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

  // "2.4 to 4.5 over 3 seeds"
  static std::string range(const RemedyRow& row) {
    if (!(row.seeds >= 2)) return "";
    if (row.gain_high - row.gain_low < kAsGood * row.gain)
      return fmt::format("the same over {} seeds", row.seeds);
    return fmt::format("{} to {} over {} seeds", number(row.gain_low), number(row.gain_high), row.seeds);
  }

  static std::string costs(const RemedyRow& row) {
    if (is(row, ChangeKind::cause) || is(row, ChangeKind::bound)) return "";
    std::vector<std::string> parts;
    const auto add = [&](double count, std::string_view one, double least) {
      if (count > least) parts.push_back(counted(count, one));
    };
    add(row.queues_per_port, "queue", 1);
    add(row.lanes, "lane", 1);
    add(row.cam_lines_per_port, "CAM line", 0);
    if (row.out_of_order_packets > 0) parts.emplace_back("reorders");
    if (row.others_worst < kHarm) parts.push_back(fmt::format("others: {}", number(row.others_worst)));
    return fmt::format("{}", fmt::join(parts, ", "));
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
  // Others of a group say little beside its best one.
  static void best_of_each_group_first(std::vector<const RemedyRow*>& rows) {
    std::set<std::string_view> seen;
    std::ranges::stable_partition(rows, [&](const RemedyRow* row) { return seen.insert(row->group).second; });
  }

  void line(const RemedyRow& row) {
    std::vector<std::string> notes;
    for (std::string note : {range(row), costs(row)})
      if (!note.empty()) notes.push_back(std::move(note));
    std::string line = fmt::format("  {:<{}} {:<{}}  {}", row.kind, kLabel, row.change, width_,
                                   gain_text(row.metric, row.gain));
    if (!notes.empty()) line += fmt::format("   ({})", fmt::join(notes, "; "));
    text_ += line + '\n';
    if (all_) text_ += fmt::format("  {:<{}} {}\n", "", kLabel, row.settings);
  }

  // The base is deadlocked: a run that ends proves nothing, unless the routes have no cycle.
  void endings() {
    for (const RemedyRow& row : rows_) {
      if (!was_run(row) || row.status == name_of(Status::deadlock) || is(row, ChangeKind::bound)) continue;
      text_ += fmt::format("  {:<{}} {:<{}}  {}\n", "ends", kLabel, row.change, width_,
                           row.group == name_of(ChangeGroup::routing)
                               ? "no deadlock is possible: its routes have no cycle [theorem]"
                               : "did not deadlock in this run, which proves nothing");
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

  // By reason. A group that is closed has the same reason for all of its changes.
  void skipped() {
    std::vector<std::pair<std::string_view, std::vector<const RemedyRow*>>> by_reason;
    for (const RemedyRow& row : rows_) {
      if (was_run(row)) continue;
      if (is(row, ChangeKind::own)) {
        text_ += wrapped(fmt::format("own, not run: {}, because {}.", row.change, row.skipped), 2, columns_);
        continue;
      }
      const auto same = std::ranges::find(by_reason, row.skipped, [](const auto& one) { return one.first; });
      if (same == by_reason.end())
        by_reason.push_back({row.skipped, {&row}});
      else
        same->second.push_back(&row);
    }
    std::size_t few = 0;
    for (const auto& [reason, rows] : by_reason) {
      if (!all_ && rows.size() < kManySkipped && !reason.starts_with("at most")) {
        few += rows.size();
        continue;
      }
      std::vector<std::string_view> names;
      for (const RemedyRow* const row : rows) {
        const std::string_view name = all_ || rows.size() < kManySkipped ? row->change : row->group;
        if (std::ranges::find(names, name) == names.end()) names.push_back(name);
      }
      text_ += wrapped(fmt::format("not run, because {}: {}.", reason, fmt::join(names, ", ")), 2, columns_);
    }
    if (few > 0)
      text_ += wrapped(fmt::format("not run: {}; --all says why.", plural(few, "other change")), 2, columns_);
  }

  std::vector<RemedyRow> rows_;
  std::size_t columns_;
  bool all_;
  std::size_t width_ = 0;
  std::string text_;
};

}  // namespace

std::vector<Sentence> sentences_of(const Followed& followed, const Goal& goal) {
  Told told;
  const std::vector<const FollowedStep*> needed = steps_with(followed, true),
                                         symptoms = steps_with(followed, false);
  if (followed.runs == 0) return {};
  const std::string runs = plural(followed.runs, "run");
  const std::string who = goal.of.empty() ? "the run" : goal.of;
  if (needed.empty()) {
    told.say(Support::run, "Measured in {}: nothing that was taken away changes {}.", runs, who);
    return told.take();
  }
  std::vector<std::string> chain;
  for (const FollowedStep* const step : needed)
    chain.push_back(chain.empty() ? fmt::format("{}, {} is {}", with(step->change), who,
                                                gain_text(goal.metric, step->gain))
                                  : fmt::format("{}, too, {} times", with(step->change), number(step->gain)));
  told.say(Support::run, "Measured in {}: {}.", runs, fmt::join(chain, "; "));
  if (needed.size() > 1) {
    std::vector<std::string> alone;
    bool any = false;
    for (const FollowedStep* const step : needed) {
      any |= step->alone >= 1 + kNoEffect;
      alone.push_back(fmt::format("{} {}", with(step->change), gain_text(goal.metric, step->alone)));
    }
    if (any)
      told.say(Support::run, "Alone: {}.", fmt::join(alone, "; "));
    else
      told.say(Support::run, "Only together: each of these alone gains nothing.");
  }
  if (!symptoms.empty())
    told.say(Support::run, "Not needed in the end: {}. What {} away was a symptom.", changes_text(symptoms),
             symptoms.size() == 1 ? "this takes" : "these take");
  if (!followed.rest.empty()) told.say("What remains then: {}.", followed.rest);
  if (!followed.complete)
    told.say(Support::run, "The budget ended before all was followed; --budget gives more.");
  return told.take();
}

std::string page_of_remedies(const Result& result, std::size_t columns, bool all) {
  return Page(rows_in<RemedyRow>(result), columns, all).text();
}

}  // namespace headway
