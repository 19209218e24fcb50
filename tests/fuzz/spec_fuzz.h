// SPDX-License-Identifier: Apache-2.0
// What fuzzing does with bytes: check them as a spec file, and run what is small. Anything but an experiment
// or a SpecError that says where the mistakes are escapes as a crash.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "headway/base/error.h"
#include "headway/compile/experiment.h"
#include "headway/spec/overrides.h"

namespace headway::test {

// What is wrong with an error as a user meets it, or nothing: every mistake has a place (a position in a
// file, a file, a flag) and is one line without control characters.
std::string fault_of(const SpecError& error);

// An error with a fault.
struct BadError : std::logic_error {
  using std::logic_error::logic_error;
};

// Whether `text` is a valid spec, as `headway check` finds it; `name` is that of its file. Throws BadError
// for an error with a fault, and for a resolved spec that is not valid again.
bool checks(std::string_view text, const std::string& name, const std::vector<Override>& overrides = {});

// As `checks`, and runs a point of what is valid for some thousand packets, with the simulator's own
// checks. `which` chooses the point.
bool checks_and_runs(std::string_view text, const std::string& name, const std::vector<Override>& overrides,
                     std::uint64_t which);

}  // namespace headway::test
