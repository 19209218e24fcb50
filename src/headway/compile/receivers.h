// SPDX-License-Identifier: Apache-2.0
// The slow nodes of a spec: those that consume packets at a rate of their own (docs/modelling.md, "Slow
// nodes").
#pragma once

#include <cstdint>
#include <vector>

#include "headway/base/error.h"
#include "headway/base/units.h"
#include "headway/spec/spec.h"

namespace headway {

// [node] the fraction of its link's rate at which it consumes packets; 0: it consumes them at once. Empty if
// all nodes do.
std::vector<Rational> receive_rates(const EventSpec& spec, std::uint32_t nodes, Mistakes& mistakes);

// Memory per lane of a slow node. `lanes` and `queues` are those of an input port.
Bytes receive_memory(const EventSpec& spec, std::uint32_t lanes, std::uint32_t queues);

}  // namespace headway
