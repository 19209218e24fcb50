// SPDX-License-Identifier: Apache-2.0
// Spec -> Document with every default written: what a run really was, and a spec file that repeats it.
#pragma once

#include "headway/config/document.h"
#include "headway/spec/spec.h"

namespace headway {

Document resolved(const Spec& spec);

}  // namespace headway
