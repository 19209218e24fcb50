// SPDX-License-Identifier: Apache-2.0
// The table [what_if]: named changes of a spec that ask what something costs, by taking it away. They are
// keys like all others, so that --set, sweeps and Python can use them (docs/remedies.md).
#pragma once

#include "headway/base/error.h"
#include "headway/spec/spec.h"
#include "headway/spec/spec_fields.h"

namespace headway {

void describe(WhatIfSpec& what_if, SpecFields& fields);

// The spec that is simulated. Changes of the links stay in `what_if.network`, because they need the graph.
// with_changes(with_changes(spec)) is with_changes(spec).
EventSpec with_changes(EventSpec spec);

// Reports names that no flow, trace or job has.
void check_what_if(const EventSpec& spec, Mistakes& mistakes);

}  // namespace headway
