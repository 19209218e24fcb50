// SPDX-License-Identifier: Apache-2.0
// Slotted spec -> the design and the traffic of the slotted kernel.
#pragma once

#include "headway/base/error.h"
#include "headway/slotted/design.h"
#include "headway/slotted/run.h"
#include "headway/spec/slotted_spec.h"

namespace headway {

// The typed forms. Its topology must be a multistage network.
slotted::Design design_of(const SlottedSpec& spec);
slotted::Traffic traffic_of(const SlottedSpec& spec);

// Every mistake that the ranges of the fields alone do not show.
void check(const SlottedSpec& spec, Mistakes& mistakes);

}  // namespace headway
