// SPDX-License-Identifier: Apache-2.0
// The memory of a simulation's variables at present, by the parts of Layout::state_parts and those that grow
// with the traffic: packets and waiting messages.
#pragma once

#include <span>

#include "headway/base/memory_parts.h"

namespace headway {

struct State;

inline constexpr std::string_view kPacketsPart = "packets", kWaitingPart = "waiting messages",
                                  kEventsPart = "events", kOrderPart = "order of deliveries";

// `parts`: all parts of a run.
MemoryParts memory_of(std::span<const State* const> parts);

}  // namespace headway
