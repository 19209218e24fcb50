// SPDX-License-Identifier: Apache-2.0
// `headway why SPEC`: runs the spec and says why it takes so long; then runs changes of it.
#pragma once

#include <string>
#include <vector>

#include "headway/cli/command.h"
#include "headway/run/results.h"
#include "headway/why/why.h"

namespace headway::cli {

std::vector<Flag> flags_of_explaining();

// What a result says, with the remedies that it has. Pages after the first one begin with an empty line.
std::string page_of(const PointResult& point, bool first, bool all, const Terminal& terminal,
                    SuggestRuns suggest = SuggestRuns::yes);

// Returns the exit code.
int explain_spec(const Arguments& arguments, Terminal& terminal);

}  // namespace headway::cli
