// SPDX-License-Identifier: Apache-2.0
// A spec file to the experiment it describes: overrides are set, its sweep is expanded, and every point
// becomes a checked Spec.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "headway/compile/experiment.h"
#include "headway/config/document.h"
#include "headway/spec/overrides.h"

namespace headway {

// Throws SpecError with every mistake of the file and of all points, each reported once, with its place.
Experiment load_experiment(Document document, const std::vector<Override>& overrides = {});

// The same for callers that run nothing, in little memory and a few seconds: graphs of at most this many
// bytes altogether, about a million nodes, are built. What needs others is not checked; Experiment::whole is
// then false.
inline constexpr std::uint64_t kMostCheckedGraphs = 512 << 20;
Experiment check_experiment(Document document, const std::vector<Override>& overrides = {});

}  // namespace headway
