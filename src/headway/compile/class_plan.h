// SPDX-License-Identifier: Apache-2.0
// The classes of traffic of a spec, and how they take turns (docs/modelling.md, "Turns of classes").
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "headway/arbitration/lane_turns.h"
#include "headway/base/error.h"
#include "headway/spec/spec.h"

namespace headway {

// Checks what the spec says about classes and turns.
void check_classes(const EventSpec& spec, Mistakes& mistakes);

// The following need a spec without mistakes.

// The names of the classes: those of the spec, then "lane 2" for every lane that is in none of them. Empty if
// the spec has neither classes nor turns.
std::vector<std::string> class_names(const EventSpec& spec);
// [service level] the class of its packets in results.
std::vector<std::uint8_t> classes_of_levels(const EventSpec& spec);
// `lanes`: of a port. None if lanes take no turns.
std::optional<LaneTurns> lane_turns_of(const EventSpec& spec, std::uint32_t lanes);

}  // namespace headway
