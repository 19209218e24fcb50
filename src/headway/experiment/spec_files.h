// SPDX-License-Identifier: Apache-2.0
// The files that a spec names: networks, routes, permutations, traces. What is in them decides a run's
// numbers as much as the spec does.
#pragma once

#include <string>
#include <vector>

#include "headway/experiment/spec.h"

namespace headway {

// Their absolute paths, in the order of the keys that name them; defaults that name none are left out.
std::vector<std::string> files_of(const Spec& spec);

}  // namespace headway
