// SPDX-License-Identifier: Apache-2.0
// One run on several threads, and in several processes (processes.h). Each thread simulates a part of the
// network (cut.h) with its own event queue, packets and counters, over tables that all share (state.h). Time
// advances in epochs that are shorter than the look-ahead of the cut: what a part sends to others within an
// epoch takes effect after it, so the parts of an epoch do not depend on each other. Between epochs they
// exchange mail:
//
//   part 0   |  epoch 1  | reads mail of epoch 1 |  epoch 2  | ...
//   part 1   |  epoch 1  | reads mail of epoch 1 |  epoch 2  | ...
//
// The results are those of one thread: events of a tick commute (wheel.h), except packets of one link, whose
// order mail keeps. Numbers of packets differ, and no result depends on them. If the run ends when its jobs
// are done, no epoch goes beyond the tick in which they can be done (JobsProgress).
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "headway/engine/instances.h"
#include "headway/engine/simulation.h"

namespace headway {

// Why a simulation needs one thread, as a clause; empty: it does not. Such a run looks at the state of
// distant parts within a tick, or orders what happens in all of them.
std::string why_one_thread(const Network& network, const Workload& workload,
                           const SimulationOptions& options);

class RunInParts : public Simulation {
 public:
  // In a process that does not lead: take_part of simulation.h.
  virtual Parcel serve() = 0;
};

// A run with a thread for each part; the caller's thread simulates the first. Null if it would not be faster
// than on one thread, or if the machine has too little for it. With SimulationOptions::processes, this
// process simulates its parts of the run.
std::unique_ptr<RunInParts> make_parts(const EngineInstance& instance, const Network& network,
                                       const Workload& workload, const SimulationOptions& options);

}  // namespace headway
