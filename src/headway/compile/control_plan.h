// SPDX-License-Identifier: Apache-2.0
// Congestion control of a spec (docs/modelling.md, "Congestion control").
#pragma once

#include "headway/base/error.h"
#include "headway/engine/network_options.h"
#include "headway/spec/spec.h"

namespace headway {

// Sets the marking and the reaction of a network that has all other options.
void plan_control(const EventSpec& spec, const Graph& graph, const QueueMap& map, NetworkOptions& options);

// Reports what does not fit together.
void check_control(const EventSpec& spec, const QueueMap& map, const NetworkOptions& options,
                   Mistakes& mistakes);

}  // namespace headway
