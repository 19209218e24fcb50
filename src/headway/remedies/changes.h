// SPDX-License-Identifier: Apache-2.0
// The changes that can be tried on a spec, from what is there and from the registries: a new scheme, routing,
// arbiter, reaction or algorithm of a program takes part by itself.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "headway/compile/plan.h"
#include "headway/remedies/change.h"
#include "headway/remedies/goal.h"
#include "headway/run/results.h"
#include "headway/spec/spec.h"
#include "headway/why/path_account.h"

namespace headway {

// What changes depend on.
struct ChangeSource {
  const EventSpec& spec;
  const Plan& plan;
  const PointResult& base;
  const Goal& goal;
  const std::optional<PathAccount> account;  // of the base
  // Whether a spec with these changes can be run.
  std::function<bool(const std::vector<Override>&)> accepts;
};

// Things that are there, each group as a whole: the first question is what the run would be without them.
std::vector<Change> things_there(const ChangeSource& from);
// Bounds that are no things: delay, memory, computing, the fabric.
std::vector<Change> other_bounds(const ChangeSource& from);
// The members of a group of things_there.
std::vector<Change> members(const ChangeSource& from, ChangeGroup group);
// What can be bought or configured; cheap hardware first.
std::vector<Change> remedies_of(const ChangeSource& from, ChangeGroup group);

inline constexpr ChangeGroup kGroupsOfRemedies[] = {
    ChangeGroup::program, ChangeGroup::allocation, ChangeGroup::placement, ChangeGroup::routing,
    ChangeGroup::lanes,   ChangeGroup::queues,     ChangeGroup::arbiters,  ChangeGroup::memory,
    ChangeGroup::control, ChangeGroup::crossbars,  ChangeGroup::rates};

}  // namespace headway
