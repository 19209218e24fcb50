// SPDX-License-Identifier: Apache-2.0
// Follows the account of a run: takes away the largest part that a change can remove, runs again, looks where
// the time goes now, and so on. Then it takes each change back: what was not needed is a symptom.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "headway/remedies/changes.h"
#include "headway/remedies/trials.h"

namespace headway {

// A change that has been made, one after the other.
struct FollowedStep {
  Change change;
  double gain = 0;       // of the goal, with this change and those before it
  double alone = 0;      // with this change only; NaN: not run
  bool needed = true;    // its return costs something
  double most_gain = 0;  // what the account said before the run; NaN: the account did not suggest it
};

struct Followed {
  std::vector<FollowedStep> steps;
  double gain = 1;              // with all that were needed
  const Trial* last = nullptr;  // with an account and these changes
  std::string rest;             // what the time consists of then: "74 % own bytes, 26 % propagation"
  std::size_t runs = 0;
  double cpu_s = 0;
  bool complete = true;  // false: the budget ended first
};

// `base` is the run without changes and with an account.
Followed follow(Trials& trials, const ChangeSource& from, const Trial& base);

// What the critical path of a job, or the time of a flow's packets, consists of: parts of at least a tenth,
// largest first.
std::string parts_text(const PointResult& point, const Goal& goal);

}  // namespace headway
