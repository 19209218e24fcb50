// SPDX-License-Identifier: Apache-2.0
// Why packets waited, as pages of plain text from the result of a run with observe.waiting
// (docs/waiting.md).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "headway/compile/load.h"
#include "headway/run/results.h"

namespace headway {

struct ComparedPair;

// Loads a spec with observe.waiting set, unless the overrides change it. Throws SpecError, also for a spec of
// another kernel, which takes no photographs.
Experiment load_for_why(Document spec, const std::vector<Override>& overrides = {},
                        const LoadOptions& options = {});

// The conclusion in some sentences, and its evidence: roots that tell the same story are one entry.
// Throws NoResult with a remedy if the point was run without observe.waiting. The same for why_at_length.
// The sentences are lines of at most `columns`.
inline constexpr std::size_t kWhyColumns = 100;
// Suggests runs unless the caller makes them.
enum class SuggestRuns : bool { no, yes };
std::string why(const PointResult& point, std::size_t columns = kWhyColumns,
                SuggestRuns suggest = SuggestRuns::yes);

// All numbers: the main roots one by one with their victims, culprits and congestion trees, how packets and
// links spend their time, and stalls.
std::string why_at_length(const PointResult& point);

// What is better or worse in one of two runs, and why. Throws NoResult if a run was made without
// observe.waiting, or if the runs have different flows.
std::string why_compare(const ComparedPair& pair, std::size_t columns = kWhyColumns);

}  // namespace headway
