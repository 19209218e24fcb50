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

// Mistakes in the first records, such as a wrong file format or nodes that do not exist. Keys are relative to
// the trace's table. The run reports mistakes in later records with their place.
std::vector<Mistake> mistakes_at_beginning(TraceWindow window);

// The compression of the window, to four decimals: as given in the spec, or as needed for the target load in
// this network. The second case reads the whole window. Throws TraceError if the compression would be out of
// range.
double compression_of(const TraceSpec& spec, const TraceWindow& window, const Rate& link);

Trace build_trace(const TraceSpec& spec, std::uint32_t nodes, const Rate& link, const Duration& tick,
                  std::uint64_t seed, CancelFlag cancelled = nullptr);

}  // namespace headway
