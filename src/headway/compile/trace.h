// SPDX-License-Identifier: Apache-2.0
// [traffic.trace] of a spec -> the messages that the engine plays.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "headway/engine/workload.h"
#include "headway/spec/spec.h"
#include "headway/trace/replay.h"

namespace headway {

// The rules of a trace for a network of that many nodes. What cannot be had is a mistake under `key`,
// "traffic.trace[0].".
EndpointRules endpoints_of(const TraceSpec& spec, std::uint32_t nodes, std::uint64_t seed,
                           const std::string& key, Mistakes& mistakes);

// The records of the trace that are played, and what they mean.
TraceWindow window_of(const TraceSpec& spec, std::uint32_t nodes, std::uint64_t seed,
                      CancelFlag cancelled = nullptr);

// What is wrong with the first records: a file that is none of its format, nodes that do not exist. Keys are
// relative to the trace's table. Of what comes later the run says where it is.
std::vector<Mistake> mistakes_at_beginning(TraceWindow window);

// How many times faster the window is played, to four decimals: as the spec says, or, with a target load, as
// it takes on that many nodes with links of that rate. Reads the whole window in the second case. Throws
// TraceError if no compression does.
double compression_of(const TraceSpec& spec, const TraceWindow& window, const Rate& link);

Trace build_trace(const TraceSpec& spec, std::uint32_t nodes, const Rate& link, const Duration& tick,
                  std::uint64_t seed, CancelFlag cancelled = nullptr);

}  // namespace headway
