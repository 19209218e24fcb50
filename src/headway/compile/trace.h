// SPDX-License-Identifier: Apache-2.0
// Converts [traffic.trace] of a spec to the messages that the engine replays.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "headway/engine/workload.h"
#include "headway/spec/spec.h"
#include "headway/trace/replay.h"

namespace headway {

// The rules of a trace for a network of `nodes` nodes. Mistakes are reported under `key`,
// "traffic.trace[0].".
EndpointRules endpoints_of(const TraceSpec& spec, std::uint32_t nodes, std::uint64_t seed,
                           const std::string& key, Mistakes& mistakes);

// The replayed window of the trace, with the rules for its records.
TraceWindow window_of(const TraceSpec& spec, std::uint32_t nodes, std::uint64_t seed,
                      CancelFlag cancelled = nullptr);

// Returns the compression of the trace to four decimals: as given, or as needed for the target load in this
// network. Looks for mistakes in the first records, such as a wrong file format or nodes that do not exist;
// the run reports mistakes in later records with their place. A target load needs the whole window, which is
// read. Keys of mistakes are relative to the table of the trace.
double look_into(const TraceSpec& spec, const TraceWindow& window, const Rate& link, Mistakes& mistakes);

Trace build_trace(TraceWindow window, double compression, Tick start, const Duration& tick);

}  // namespace headway
