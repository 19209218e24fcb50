// SPDX-License-Identifier: Apache-2.0
// A spec file to the experiment it describes: overrides are set, its sweep is expanded, and every point
// becomes a checked Spec.
#pragma once

#include <string>
#include <vector>

#include "headway/compile/experiment.h"
#include "headway/config/document.h"
#include "headway/spec/overrides.h"

namespace headway {

// Throws SpecError with every mistake of the file and of all points, each reported once, with its place.
Experiment load_experiment(Document document, const std::vector<Override>& overrides = {});

}  // namespace headway
