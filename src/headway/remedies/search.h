// SPDX-License-Identifier: Apache-2.0
// Tries changes of a spec: bounds, members of what is there, remedies, pairs, and then the best ones with
// other seeds. A bound that gains nothing closes its group (docs/remedies.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "headway/metrics/result.h"
#include "headway/remedies/changes.h"
#include "headway/remedies/follow.h"
#include "headway/remedies/trials.h"

namespace headway {

// A change that was run, or why it was not.
struct Tried {
  Change change;
  const Trial* trial = nullptr;  // null: skipped
  std::string skipped = {};      // the reason
  double gain = 0;               // NaN: skipped, or the goal has no value
  double low = 0, high = 0;      // of the gain, over seeds
  std::size_t seeds = 1;
  double others_worst = 1;  // of other flows and jobs, the smallest gain; NaN: there are none
};

struct SearchOptions {
  std::size_t seeds = 3;
  std::vector<Change> own;  // the user's
};

struct Found {
  Goal goal;
  double base = 0;          // its value
  double effect = 0;        // gains below it are none: 5 %, or twice what a neutral change does
  double most_gain = 0;     // of any change of the fabric with the same program, placement and routes, by the
                            // account; NaN: there is no account
  bool ends = true;         // false: the base is deadlocked, and no change has a gain
  std::vector<Tried> rows;  // in the order in which they were tried
  bool complete = true;
  std::size_t runs = 0;
  double cpu_s = 0;

  bool helps(const Tried& row) const { return row.gain >= 1 + effect; }
};

Found search(Trials& trials, const ChangeSource& from, const Trial& base, const SearchOptions& options);

// Why a change was not run (Tried::skipped).
inline constexpr std::string_view kOverBudget = "the budget ended before";

// The table "remedies" of results.
Table table_of_remedies(const Found& found);

}  // namespace headway
