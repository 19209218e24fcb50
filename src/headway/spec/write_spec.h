// SPDX-License-Identifier: Apache-2.0
// Converts a Spec to a Document with all defaults written: a complete record of a run, and a spec file that
// repeats it.
#pragma once

#include "headway/config/document.h"
#include "headway/spec/spec.h"

namespace headway {

Document resolved(const Spec& spec);

}  // namespace headway
