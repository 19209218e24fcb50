// SPDX-License-Identifier: Apache-2.0
#include "headway/remedies/told.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "headway/base/plural.h"
#include "headway/base/wrapped.h"
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

std::string changes_text(const std::vector<const FollowedStep*>& steps) {
  std::vector<std::string> names;
  for (const FollowedStep* const step : steps) names.push_back(step->change.what);
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
  Page(const Found& found, std::size_t columns, bool all) : found_(found), columns_(columns), all_(all) {
    for (const Tried& row : found.rows)
      width_ = std::max(width_, std::min(kMostWidth, row.change.what.size()));
  }

  std::string text() {
    head();
    const auto helps = [this](const Tried& row) { return found_.helps(row); };
    list("cause", ChangeKind::cause, helps, kMostRemedies);
    list("bound", ChangeKind::bound, helps, kMostRemedies);
    list("remedy", ChangeKind::remedy, helps, all_ ? found_.rows.size() : kMostRemedies);
    list("pair", ChangeKind::pair, helps, all_ ? found_.rows.size() : kMostPairs);
    list("yours", ChangeKind::own, [](const Tried&) { return true; }, found_.rows.size());
    if (!found_.ends) endings();
    summary("no effect", [this](const Tried& row) {
      return was_run(row) && !found_.helps(row) && row.gain > 1 / (1 + found_.effect);
    });
    summary("worse",
            [this](const Tried& row) { return was_run(row) && !(row.gain > 1 / (1 + found_.effect)); });
    skipped();
    if (!found_.complete)
      text_ += wrapped("The budget ended before all changes were tried; --budget gives more.", 0, columns_);
    return std::move(text_);
  }

 private:
  static constexpr std::size_t kMostWidth = 52;

  static bool was_run(const Tried& row) { return row.trial != nullptr && row.change.kind != ChangeKind::own; }

  void head() {
    text_ += wrapped(
        fmt::format(
            "What changes {}: {}, each with one change and the same seed. Effects below {} are none{}.",
            found_.goal.metric, plural(found_.runs, "run"), percent(found_.effect),
            found_.effect > kNoEffect ? ", because a neutral change has half of that" : ""),
        0, columns_);
  }

  // "2.4 to 4.5 over 3 seeds"
  std::string range(const Tried& row) const {
    if (row.seeds < 2) return "";
    if (row.high - row.low < kAsGood * row.gain) return fmt::format("the same over {} seeds", row.seeds);
    return fmt::format("{} to {} over {} seeds", number(row.low), number(row.high), row.seeds);
  }

  std::string costs(const Tried& row) const {
    std::vector<std::string> parts;
    const Result& result = *row.trial->result();
    const auto add = [&](std::string_view metric, std::string_view one, double least) {
      const double count = result.metric(metric);
      if (count > least) parts.push_back(counted(count, one));
    };
    if (row.change.kind != ChangeKind::remedy && row.change.kind != ChangeKind::pair &&
        row.change.kind != ChangeKind::own)
      return "";
    add("queues_per_port", "queue", 1);
    add("lanes", "lane", 1);
    add("cam_lines_per_port", "CAM line", 0);
    if (result.metric("out_of_order_packets") > 0) parts.emplace_back("reorders");
    if (row.others_worst < kHarm) parts.push_back(fmt::format("harms others ({:.2f})", row.others_worst));
    return fmt::format("{}", fmt::join(parts, ", "));
  }

  template <class Condition>
  std::vector<const Tried*> rows_with(Condition&& condition) const {
    std::vector<const Tried*> rows;
    for (const Tried& row : found_.rows)
      if (condition(row)) rows.push_back(&row);
    return rows;
  }

  template <class Condition>
  void list(std::string_view label, ChangeKind kind, Condition&& condition, std::size_t most) {
    std::vector<const Tried*> rows = rows_with(
        [&](const Tried& row) { return row.change.kind == kind && row.trial != nullptr && condition(row); });
    std::ranges::stable_sort(rows, std::ranges::greater(),
                             [](const Tried* row) { return std::isnan(row->gain) ? 0 : row->gain; });
    const std::size_t told = std::min(rows.size(), most);
    for (const Tried* const row : std::span(rows).first(told)) line(label, *row);
    if (rows.size() > told)
      text_ += fmt::format("  {:<7} and {} that {} less\n", "", rows.size() - told,
                           rows.size() - told == 1 ? "gains" : "gain");
  }

  void line(std::string_view label, const Tried& row) {
    std::vector<std::string> notes;
    for (std::string note : {range(row), costs(row)})
      if (!note.empty()) notes.push_back(std::move(note));
    std::string line =
        fmt::format("  {:<7} {:<{}}  {}", label, row.change.what, width_, gain_text(found_.goal, row.gain));
    if (!notes.empty()) line += fmt::format("   ({})", fmt::join(notes, "; "));
    text_ += line + '\n';
    if (all_) text_ += fmt::format("  {:<7} {}\n", "", settings_text(row.change.set));
  }

  // The base is deadlocked: a run that ends proves nothing, unless the routes have no cycle.
  void endings() {
    for (const Tried* const row : rows_with([](const Tried& one) { return one.trial != nullptr; })) {
      const Status status = row->trial->result()->status;
      if (status == Status::deadlock) continue;
      text_ += fmt::format("  {:<7} {:<{}}  {}\n", "ends", row->change.what, width_,
                           row->change.group == ChangeGroup::routing
                               ? "its routes have no cycle: no deadlock is possible"
                               : "did not deadlock in this run, which proves nothing");
    }
  }

  template <class Condition>
  void summary(std::string_view label, Condition&& condition) {
    if (!found_.ends) return;
    std::vector<std::string> names;
    for (const Tried* const row : rows_with(condition)) names.push_back(row->change.what);
    if (names.empty()) return;
    text_ += wrapped(fmt::format("{}: {}.", label, fmt::join(names, "; ")), 2, columns_);
  }

  // By reason.
  void skipped() {
    std::vector<std::pair<std::string, std::vector<std::string>>> by_reason;
    for (const Tried& row : found_.rows) {
      if (row.trial != nullptr) continue;
      const auto same = std::ranges::find(by_reason, row.skipped, [](const auto& one) { return one.first; });
      if (same == by_reason.end())
        by_reason.push_back({row.skipped, {row.change.what}});
      else
        same->second.push_back(row.change.what);
    }
    for (const auto& [reason, names] : by_reason)
      if (all_ || names.size() > 0)
        text_ +=
            wrapped(fmt::format("not run, because {}: {}.", reason, fmt::join(names, "; ")), 2, columns_);
  }

  const Found& found_;
  std::size_t columns_;
  bool all_;
  std::size_t width_ = 0;
  std::string text_;
};

}  // namespace

std::vector<std::string> sentences_of(const Followed& followed, const Goal& goal) {
  std::vector<std::string> all;
  const std::vector<const FollowedStep*> needed = steps_with(followed, true),
                                         symptoms = steps_with(followed, false);
  if (followed.runs == 0) return all;
  if (needed.empty()) {
    all.push_back(fmt::format("Followed by {}: nothing that was taken away makes it {}.",
                              plural(followed.runs, "run"), goal.more_is_better ? "more" : "faster"));
    return all;
  }
  std::vector<std::string> chain;
  for (const FollowedStep* const step : needed)
    chain.push_back(chain.empty()
                        ? fmt::format("{}, it is {}", step->change.what, gain_text(goal, step->gain))
                        : fmt::format("then also {}, {}", step->change.what, number(step->gain)));
  all.push_back(fmt::format("Followed by {}: {}.", plural(followed.runs, "run"), fmt::join(chain, "; ")));
  if (needed.size() > 1) {
    std::vector<std::string> alone;
    bool any = false;
    for (const FollowedStep* const step : needed) {
      any |= step->alone >= 1 + kNoEffect;
      alone.push_back(fmt::format("{} {}", step->change.what,
                                  std::isnan(step->alone) ? "was not run" : number(step->alone)));
    }
    all.push_back(any ? fmt::format("Alone: {}.", fmt::join(alone, "; "))
                      : fmt::format("Only together: {} gain nothing alone.", changes_text(needed)));
  }
  if (!symptoms.empty())
    all.push_back(fmt::format("Not needed then: {}. What {} away was a symptom.", changes_text(symptoms),
                              symptoms.size() == 1 ? "it takes" : "they take"));
  if (!followed.rest.empty()) all.push_back(fmt::format("What remains: {}.", followed.rest));
  if (!followed.complete) all.push_back("The budget ended before all was followed; --budget gives more.");
  return all;
}

std::string page_of(const Found& found, std::size_t columns, bool all) {
  return Page(found, columns, all).text();
}

}  // namespace headway
