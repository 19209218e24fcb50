// SPDX-License-Identifier: Apache-2.0
// Can the numbers of a window be believed? One method decides where the warm-up ends, whether the sources ask
// for more than the network carries, and whether the window is long enough to tell. docs/verdicts.md explains
// it and says how often it is wrong.
//
// The state it watches is the outstanding traffic: the bytes that were generated and not delivered, wherever
// they wait (admittance queues, injection queues, network). Below saturation it fluctuates about a level;
// beyond it grows like a random walk with drift. Between the two lies the random walk of a network that is
// exactly critical, and a window tells the cases apart only if it is long beside that walk.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "headway/metrics/result.h"

namespace headway {

// How many of the first observations to cut, by MSER (White, "An effective truncation heuristic for bias
// reduction in simulation output", Simulation 69:6, 1997): those whose removal makes the standard error of
// the mean of the rest smallest. Nothing if no cut in the first half is best or there are fewer than
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
  double loaded_ns = 0;                   // how long the loads had been what they are when it began
  double generated = 0;                   // bytes in the window
  double asked = 0;                       // bytes that the loads ask for in it, on average
  double message = 0;                     // bytes of the largest message
  std::size_t sources = 0;                // that send
};

// What a window tells, as numbers without unit.
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
  double enough = 1;           // too_short: how many times as long a window would probably do
  std::string detail;          // why, in words, unless ok
};
Verdict judge(const Stretch& stretch);

}  // namespace headway
