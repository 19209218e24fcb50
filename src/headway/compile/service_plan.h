// SPDX-License-Identifier: Apache-2.0
// The service levels of a spec (docs/modelling.md, "Service levels").
#pragma once

#include <cstdint>
#include <vector>

#include "headway/base/error.h"
#include "headway/routing/service_levels.h"
#include "headway/spec/spec.h"

namespace headway {

// Reads the tables that the spec names. Reports their mistakes, and lanes that nothing uses.
ServiceLevels service_levels_of(const EventSpec& spec, const Graph& graph, Mistakes& mistakes);

// The service levels that flows, traces, jobs and notifications name, ascending.
std::vector<std::uint8_t> named_service_levels(const EventSpec& spec);

}  // namespace headway
