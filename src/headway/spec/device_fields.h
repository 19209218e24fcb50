// SPDX-License-Identifier: Apache-2.0
// The description of switches, classes of traffic and nodes, as parts of a spec.
#pragma once

#include "headway/spec/spec_fields.h"

namespace headway {

void describe(SwitchSpec& switches, SpecFields& fields);
void describe(ClassSpec& of_spec, SpecFields& fields);
void describe(NodeSpec& node, SpecFields& fields);

}  // namespace headway
