// SPDX-License-Identifier: Apache-2.0
// The arguments of commands that take a spec: SPEC, --set, --seed.
#pragma once

#include <functional>
#include <vector>

#include "headway/cli/command.h"
#include "headway/compile/load.h"

namespace headway::cli {

Positional spec_positional();
std::vector<Flag> spec_flags();

// The keys and values of --set. Throws UsageError for a --set without "=".
std::vector<Override> settings_of(const Arguments& arguments);

// Loads the experiment that the arguments name. Throws SpecError with all mistakes, or UsageError for
// mistakes in --set.
using Loader = std::function<Experiment(Document spec, const std::vector<Override>& overrides,
                                        const LoadOptions& options)>;
Experiment load(const Arguments& arguments, Terminal& terminal, const Loader& loader = load_experiment);

}  // namespace headway::cli
