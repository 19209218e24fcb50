// SPDX-License-Identifier: Apache-2.0
// Converts a slotted spec to the design and the traffic of the slotted kernel.
#pragma once

#include "headway/base/error.h"
#include "headway/slotted/design.h"
#include "headway/slotted/run.h"
#include "headway/spec/slotted_spec.h"

namespace headway {

// The typed forms. The topology of the spec must be a multistage network.
slotted::Design design_of(const SlottedSpec& spec);
slotted::Traffic traffic_of(const SlottedSpec& spec);

// Reports mistakes other than fields that are out of range.
void check(const SlottedSpec& spec, Mistakes& mistakes);

}  // namespace headway
