// SPDX-License-Identifier: Apache-2.0
// Document -> Spec, by walking the description of Spec. All mistakes are collected, each with its place, what
// would be valid, and the nearest name.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "headway/base/error.h"
#include "headway/base/input_file.h"
#include "headway/config/document.h"
#include "headway/spec/spec.h"
#include "headway/spec/units_table.h"

namespace headway {

struct SpecFile {
  Spec spec;
  std::int64_t seeds = 1;
  std::vector<Mistake>
      idle;  // keys without effect, and why: parameters of members that another point chooses
};

// Reads every key but `sweep`. `swept` holds the dotted keys that a sweep sets: beside a swept choice,
// parameters of any of its members may stand. `files` gives the files that are named. What has a mistake
// keeps its default.
SpecFile read_spec(const Document& document, const std::vector<std::string>& swept, const InputFiles& files,
                   Mistakes& mistakes);
// The same of a spec that shares its files with no other.
inline SpecFile read_spec(const Document& document, const std::vector<std::string>& swept,
                          Mistakes& mistakes) {
  InputFiles files;
  return read_spec(document, swept, files, mistakes);
}

// Reads the table [units].
UnitsTable read_units(const Document& table, Mistakes& mistakes);

}  // namespace headway
