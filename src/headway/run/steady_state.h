// SPDX-License-Identifier: Apache-2.0
// Decides whether the results of a window are valid: where the warm-up ends, whether the offered load exceeds
// what the network carries, and whether the window is long enough for a verdict. docs/verdicts.md explains
// the method and gives its error rates.
//
// The observed state is the outstanding traffic: the bytes that were generated but not delivered, in
// admission queues, injection queues and the network. Below saturation it fluctuates about a level; above it
// grows like a random walk with drift. A network that is exactly critical is a random walk without drift. A
// window can distinguish these cases only if it is long compared to that walk.
#pragma once

#include <cstddef>
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
  double outstanding = 0;  // bytes generated and not delivered
  double delivered = 0;    // packets, since the run began
  double latency_ns = 0;   // summed over them
};
inline constexpr int kObservations = 100;  // intervals of equal length that a window is observed in

// A window in which no load changes.
struct Stretch {
  std::vector<Observation> observations;  // at its start and at the end of each interval
  double loaded_ns = 0;                   // time since the last change of a load when the window began
  double generated = 0;                   // bytes in the window
  double asked = 0;                       // bytes expected from the loads, on average
  double message = 0;                     // bytes of the largest message
  std::size_t sources = 0;                // that send
};

// The statistics of a window, as numbers without unit.
struct Evidence {
  double messages = 0;  // generated: bytes over those of the largest message
  double spread =
      0;  // mean square of the outstanding traffic about its mean, over the variance that a random
          // walk with the same increments gathers in the window: 1/6 for one that is critical
  double growth = 0;         // of the outstanding traffic, over what was generated
  double growth_se = 0;      // its standard error if the traffic is a random walk, from batches of increments
  double critical = 0;       // growth of as many critical queues as there are sources, in standard errors
  double latest = 0;         // part of the growth that falls into the second half
  double drift = 0;          // of the outstanding traffic: slope over its standard error, from batch means
  double drifts_by = 0;      // what that slope is over the window, over the mean
  double latency_drift = 0;  // the same of the mean latency
  double latency_drifts_by = 0;
};
Evidence evidence_of(const Stretch& stretch);

struct Verdict {
  Status status = Status::ok;  // ok, saturated, or too_short
  double enough = 1;           // too_short: factor by which a longer window is probably long enough
  std::string detail;          // the reason as text, unless ok
};
Verdict judge(const Stretch& stretch);

}  // namespace headway
