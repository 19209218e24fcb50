// SPDX-License-Identifier: Apache-2.0
// Checks bytes as a spec file, and runs the spec if it is small. The result must be an experiment or a
// SpecError with the places of the mistakes; any other outcome escapes as a crash.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "headway/base/error.h"
#include "headway/compile/experiment.h"
#include "headway/spec/overrides.h"

namespace headway::test {

// Checks an error message: every mistake must have a place (a position in a file, a file, a flag) and be one
// line without control characters. Returns the fault, or an empty string.
std::string fault_of(const SpecError& error);

// Thrown for an error message with a fault.
struct BadError : std::logic_error {
  using std::logic_error::logic_error;
};

// Is `text` a valid spec for `headway check`? `name` is its file name. Throws BadError if an error message
// has a fault, or if the resolved spec is not valid.
bool checks(std::string_view text, const std::string& name, const std::vector<Override>& overrides = {});

// Like `checks`. If valid, also runs one point for some thousand packets, with the simulator's invariants
// checked. `which` chooses the point.
bool checks_and_runs(std::string_view text, const std::string& name, const std::vector<Override>& overrides,
                     std::uint64_t which);

}  // namespace headway::test
