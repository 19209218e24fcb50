// SPDX-License-Identifier: Apache-2.0
// Runs that explain one run: what `headway why` and hw.remedies() do after the base.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "headway/compile/experiment.h"
#include "headway/remedies/follow.h"
#include "headway/remedies/search.h"
#include "headway/remedies/trials.h"

namespace headway {

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

}  // namespace headway
