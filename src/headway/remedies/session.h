// SPDX-License-Identifier: Apache-2.0
// Runs that explain one run: what `headway why` and hw.remedies() do after the base.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "headway/compile/experiment.h"
#include "headway/remedies/follow.h"
#include "headway/remedies/search.h"
#include "headway/remedies/trials.h"

namespace headway {

// For searching, unless a user says otherwise.
inline constexpr std::size_t kMostRunsOfTrying = 100;
inline constexpr std::uint64_t kMostSeeds = 100, kSeedsByDefault = 3;
// Of the budget, in seconds (trials.h).
inline constexpr double kBudgetOfTryingS = 60, kBudgetOfFollowingS = 5;

// The spec of the base, and what a user asks.
struct Question {
  Document document;
  std::vector<Override> overrides;
  MemoryFiles files = {};
  std::optional<std::string> goal = {};  // a metric; none: goal_of decides
  TrialOptions options = {};
};

class Session {
 public:
  // `experiment` is that of the question: one point. `base` is its result with an account (observe.waiting,
  // and the critical paths of jobs), or null: then it is run. Throws NoResult if the goal is not in the base.
  Session(Question question, const Experiment& experiment, const PointResult* base);

  const Goal& goal() const { return goal_; }
  const PointResult& base() const { return *base_->point; }
  const Trials& trials() const { return trials_; }
  Followed follow();
  Found search(const SearchOptions& options);

 private:
  ChangeSource source() const;

  EventSpec spec_;
  Plan plan_;
  Trials trials_;
  const Trial* base_;
  Goal goal_;
};

// Writes the point, which has the table "remedies", as the results of a directory. `experiment` has no other.
void write_with_remedies(const std::filesystem::path& directory, const Experiment& experiment,
                         const PointResult& point, const std::vector<std::string>& command);

}  // namespace headway
