// SPDX-License-Identifier: Apache-2.0
#include "headway/remedies/follow.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "headway/config/toml.h"
#include "headway/why/path_account.h"
#include "headway/why/suggestions.h"
#include "headway/why/waiting_words.h"

namespace headway {
namespace {

constexpr double kNotNeeded = 0.03;  // gain that a change may cost when it is taken back
constexpr double kWorthFollowing = 0.1;
constexpr std::size_t kMostSteps = 8;

std::vector<Override> overrides_of(const Suggestion& suggestion) {
  std::vector<Override> set;
  for (const auto& [key, value] : suggestion.set) set.push_back({key, parse_toml_value(value, key)});
  return set;
}

ChangeGroup group_of(PathPart part) {
  switch (part) {
    case PathPart::slow_link:
      return ChangeGroup::rates;
    case PathPart::others:
      return ChangeGroup::traffic;
    case PathPart::receiver:
      return ChangeGroup::receivers;
    case PathPart::own_rate:
      return ChangeGroup::control;
    case PathPart::credits:
      return ChangeGroup::memory;
    case PathPart::collisions:
    case PathPart::narrow_links:
      return ChangeGroup::routing;
  }
  return ChangeGroup::fabric;
}

class Follower {
 public:
  Follower(Trials& trials, const ChangeSource& from, const Trial& base)
      : trials_(trials), from_(from), base_(base), runs_before_(trials.runs()), cpu_before_(trials.cpu_s()) {
    result_.last = &base;
  }

  Followed run() {
    // What is there comes before mechanisms: with a cause gone, a mechanism is often no part any more.
    while (take_next_part(is_there)) continue;
    for (const Change& group : things_there(from_)) take_group(group);
    while (take_next_part([](PathPart) { return true; })) continue;
    take_back();
    run_alone();
    result_.rest = parts_text(*result_.last->point, from_.goal);
    result_.runs = trials_.runs() - runs_before_;
    result_.cpu_s = trials_.cpu_s() - cpu_before_;
    return std::move(result_);
  }

 private:
  // With an account of what the goal is about; null: it could not be run, or did not end in time.
  const Trial* with(const std::vector<Override>& set, const std::string& name) {
    if (!trials_.may_run()) {
      result_.complete = false;
      return nullptr;
    }
    const Trial& trial = run_with(set, name);
    return trial.point && gain_of(trial) > 0 ? &trial : nullptr;
  }
  const Trial& run_with(const std::vector<Override>& set, const std::string& name) {
    return trials_.run({.set = set, .seed = base_.of.seed, .account = base_.of.account, .name = name});
  }
  double gain_of(const Trial& trial) const { return from_.goal.gain(*base_.result(), *trial.result()); }

  std::vector<Override> all_but(const FollowedStep* without) const {
    std::vector<Override> set;
    for (const FollowedStep& step : result_.steps)
      if (&step != without && step.needed) set = merged(set, step.change.set);
    return set;
  }

  void keep(Change change, double most_gain, const Trial& trial) {
    result_.steps.push_back(
        {.change = std::move(change), .gain = gain_of(trial), .alone = std::nan(""), .most_gain = most_gain});
    result_.gain = result_.steps.back().gain;
    result_.last = &trial;
  }

  static bool is_there(PathPart part) {
    return part == PathPart::slow_link || part == PathPart::others || part == PathPart::receiver ||
           part == PathPart::own_rate;
  }

  // Makes the change that the account of the last run suggests first, of those for such parts. Returns false
  // if there is none.
  template <class Condition>
  bool take_next_part(Condition&& is_of) {
    if (result_.steps.size() == kMostSteps) return false;
    for (const Suggestion& suggestion : suggested()) {
      if (!is_of(suggestion.part)) continue;
      for (Change& change : changes_for(suggestion)) {
        const std::vector<Override> set = merged(all_but(nullptr), change.set);
        if (!tried_.insert(settings_text(set)).second) break;
        if (!trials_.may_run()) {
          result_.complete = false;
          return false;
        }
        const Trial& trial = run_with(set, change.what);
        if (!trial.point) continue;  // refused: another member of the family can do the same
        // Choice: a change that gains nothing is kept, because what it hides can be next; one that makes it
        // slower is not.
        if (!(gain_of(trial) >= result_.gain * (1 - from_.goal.least_effect()))) break;
        keep(std::move(change), suggestion.most_gain, trial);
        return true;
      }
    }
    return false;
  }

  std::vector<Suggestion> suggested() const {
    const PointResult& last = *result_.last->point;
    return from_.goal.is_of_job ? suggestions(last, from_.goal.of)
                                : suggestions_for_flow(last, from_.goal.of);
  }

  // A suggestion names a member of a family; others of it follow if that one is refused.
  std::vector<Change> changes_for(const Suggestion& suggestion) const {
    Change first{suggestion.what, ChangeKind::cause, group_of(suggestion.part), overrides_of(suggestion)};
    if (first.group != ChangeGroup::routing) return {first};
    first.kind = ChangeKind::remedy;
    std::vector<Change> all;
    if (is_new(first.set)) all.push_back(first);
    for (Change& other : remedies_of(from_, ChangeGroup::routing))
      if (other.set.front().value != first.set.front().value && is_new(other.set))
        all.push_back(std::move(other));
    return all;
  }
  // A routing that an earlier step has chosen is not replaced by another one.
  bool is_new(const std::vector<Override>& set) const {
    return std::ranges::none_of(result_.steps, [&](const FollowedStep& step) {
      return std::ranges::any_of(step.change.set,
                                 [&](const Override& made) { return made.key == set.front().key; });
    });
  }

  void take_group(const Change& group) {
    const std::vector<Override> set = merged(all_but(nullptr), group.set);
    if (settings_text(set) == settings_text(all_but(nullptr)) || !tried_.insert(settings_text(set)).second)
      return;
    const Trial* const trial = with(set, group.what);
    if (trial != nullptr && gain_of(*trial) >= result_.gain * (1 + from_.goal.least_effect()))
      keep(group, std::nan(""), *trial);
  }

  void take_back() {
    if (result_.steps.size() < 2) return note_if_useless();
    for (FollowedStep& step : result_.steps) {
      const Trial* const trial = with(all_but(&step), fmt::format("all but: {}", step.change.what));
      if (trial == nullptr || gain_of(*trial) < result_.gain * (1 - kNotNeeded)) continue;
      step.needed = false;
      result_.gain = gain_of(*trial);
      result_.last = trial;
    }
  }
  void note_if_useless() {
    for (FollowedStep& step : result_.steps)
      if (step.gain < 1 + from_.goal.least_effect()) {
        step.needed = false;
        result_.gain = 1;
        result_.last = &base_;
      }
  }

  void run_alone() {
    for (FollowedStep& step : result_.steps) {
      if (!step.needed) continue;
      const Trial* const trial = with(step.change.set, step.change.what);
      if (result_.complete) step.alone = trial == nullptr ? 0 : gain_of(*trial);
    }
  }

  Trials& trials_;
  const ChangeSource& from_;
  const Trial& base_;
  std::size_t runs_before_;
  double cpu_before_;
  Followed result_;
  std::set<std::string> tried_;
};

}  // namespace

Followed follow(Trials& trials, const ChangeSource& from, const Trial& base) {
  return Follower(trials, from, base).run();
}

std::string parts_text(const PointResult& point, const Goal& goal) {
  const std::optional<PathAccount> account = account_of(point, goal);
  if (!account) return "";
  std::vector<std::pair<double, std::string_view>> parts{
      {account->compute_ns, "computing"},
      {account->overhead_ns, "overhead"},
      {account->serialisation_ns, "own bytes"},
      {account->narrow_ns, "narrower links"},
      {account->slow_ns, "slow links"},
      {account->propagation_ns, "propagation"},
      {account->switch_ns, "switches"},
      {account->rest_ns, account->is_split ? "the rest of its transfers" : "transfers"},
      {account->wait_ns, "waiting"}};
  std::erase_if(parts, [&](const auto& part) { return account->share(part.first) < kWorthFollowing; });
  std::ranges::stable_sort(parts, std::ranges::greater(), [](const auto& part) { return part.first; });
  std::vector<std::string> texts;
  for (const auto& [ns, name] : parts)
    texts.push_back(fmt::format("{} {}", percent(account->share(ns)), name));
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace headway
