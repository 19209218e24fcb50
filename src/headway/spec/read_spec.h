// SPDX-License-Identifier: Apache-2.0
// Converts a Document to a Spec by walking the description of Spec. Collects all mistakes, each with its
// place, the valid values and the nearest name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "headway/base/error.h"
#include "headway/base/input_file.h"
#include "headway/config/document.h"
#include "headway/spec/seeds_until.h"
#include "headway/spec/spec.h"
#include "headway/spec/units_table.h"

namespace headway {

struct SpecFile {
  Spec spec;
  std::int64_t seeds = 1;           // with `until`, the maximum
  std::optional<SeedsUntil> until;  // seeds = { until = ... }
  // Keys without effect, with the reason: parameters of members that other points choose.
  std::vector<Mistake> idle;
};

// Reads all keys except `sweep`. `swept` lists the dotted keys that a sweep or --set sets: next to such a
// choice, parameters of all its members are valid. `files` provides the named files. A key with a mistake
// keeps its default.
SpecFile read_spec(const Document& document, Mistakes& mistakes, const std::vector<std::string>& swept = {},
                   const InputFiles& files = InputFiles());

// As `swept`: the parameters of all members of all families are valid, because every choice can still change.
inline const std::vector<std::string> kEveryChoice = {"*"};

// Reads the table [units].
UnitsTable read_units(const Document& table, Mistakes& mistakes);

}  // namespace headway
