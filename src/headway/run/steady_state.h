// SPDX-License-Identifier: Apache-2.0
// Decides whether the results of a window are valid: where the warm-up ends, whether the offered load exceeds
// what the network carries, and whether the window is long enough for a verdict. docs/verdicts.md explains
// the method and gives its error rates.
//
// The observed state is the outstanding traffic: the bytes that were generated but not delivered, in
// admittance queues, injection queues and the network. Below saturation it fluctuates about a level; above it
// grows like a random walk with drift. A network that is exactly critical is a random walk without drift. A
// window can distinguish these cases only if it is long compared to that walk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "headway/metrics/result.h"

namespace headway {

// Number of first observations to discard, by MSER (White, "An effective truncation heuristic for bias
// reduction in simulation output", Simulation 69:6, 1997): removing them minimises the standard error of the
// mean of the rest. Nullopt if the minimum is not in the first half, or if there are fewer than
// `kFewestObservations`.
inline constexpr std::size_t kFewestObservations = 20;
std::optional<std::size_t> warmup_length(const std::vector<double>& observations);

// The counters of a run at one instant.
struct Observation {
  double time_ns = 0;
  double outstanding = 0;  // bytes generated, and neither delivered nor lost
  double delivered = 0;    // packets, since the run began
  double latency_ns = 0;   // summed over them
  double delivered_bytes = 0;
};
inline constexpr int kObservations = 100;  // intervals of equal length that a window is observed in

// What the sources of a window do.
enum class Sending : std::uint8_t {
  by_load,      // generate by their loads, whatever the network delivers
  by_delivery,  // saturated: keep a backlog, so the outstanding traffic says nothing
  by_both,      // some of them are saturated
};

// A window in which no load changes.
struct Stretch {
  Sending sending = Sending::by_load;
  std::vector<Observation> observations;  // at its start and at the end of each interval
  double loaded_ns = 0;                   // time since the last change of a load when the window began
  double generated = 0;                   // bytes in the window
  double expected = 0;                    // bytes expected from the loads, on average
  double message = 0;                     // bytes of the largest message
  std::size_t sources = 0;                // number of sources that send
};

struct Verdict {
  Status status = Status::ok;  // ok, saturated, or too_short
  double enough = 1;           // too_short: factor by which a longer window is probably long enough
  std::string detail;          // the reason as text, unless ok
  std::string advice = {};     // too_short: what to do about it, if the traffic goes on as in the window
};
Verdict judge(const Stretch& stretch);

}  // namespace headway
