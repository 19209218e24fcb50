// SPDX-License-Identifier: Apache-2.0
// One run of the slotted kernel as a value.
#pragma once

#include "headway/metrics/result.h"
#include "headway/run/run.h"
#include "headway/spec/slotted_spec.h"

namespace headway {

// Throws SpecError if the spec is not valid.
Result run(const SlottedSpec& spec, const RunOptions& options);

}  // namespace headway
