// SPDX-License-Identifier: Apache-2.0
// A spec file to the experiment it describes: overrides are set, its sweep is expanded, and every point
// becomes a checked Spec.
//
// [sweep] has a list of values per dotted key; the points are the product of these axes, the last varying
// fastest. The keys of one [[sweep.zip]] table advance together and are one axis.
#pragma once

#include <string>
#include <vector>

#include "headway/base/document.h"
#include "headway/experiment/experiment.h"

namespace headway {

// Takes the place of what the file says; a swept key is no longer swept.
struct Override {
  std::string key;  // dotted
  Document value;
};

// Throws SpecError with every mistake of the file and of all points, each reported once, with its place.
Experiment load_experiment(Document document, const std::vector<Override>& overrides = {});

}  // namespace headway
