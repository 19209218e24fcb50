// SPDX-License-Identifier: Apache-2.0
// Pauses of a spec (docs/modelling.md, "Pauses").
#pragma once

#include <cstdint>
#include <span>

#include "headway/base/error.h"
#include "headway/compile/job_plan.h"
#include "headway/engine/network_options.h"
#include "headway/spec/spec.h"

namespace headway {

// The shortest packet of the spec's traffic, in bytes. Traces are read during the run, so that their packets
// can have any length.
std::uint32_t shortest_packet(const EventSpec& spec, std::span<const JobPlan> jobs);

// Sets the rules of pauses of a network that has all other options. `shortest`: bytes of its shortest packet.
void plan_pauses(const EventSpec& spec, const Graph& graph, std::uint32_t shortest, NetworkOptions& options);

// Reports what does not fit together.
void check_pauses(const EventSpec& spec, const NetworkOptions& options, Mistakes& mistakes);

}  // namespace headway
