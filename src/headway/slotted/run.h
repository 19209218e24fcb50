// SPDX-License-Identifier: Apache-2.0
// One run of a slotted network: warm-up, measured slots, and the counts per replication.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "headway/slotted/plan.h"
#include "headway/slotted/replications.h"

namespace headway::slotted {

struct Schedule {
  std::uint64_t slots = 100'000;  // measured, over all replications together (rounded up to a multiple of 64)
  std::uint64_t warmup = 1'000;   // per replication, before them
  std::uint64_t seed = 1;
  bool check = false;  // verify every invariant after every slot
};

// Counts of the measured slots.
struct Outcome {
  std::uint32_t zones = 0;
  std::uint32_t classes = 0;
  std::uint64_t slots = 0;  // per replication
  // [zone * classes + class]
  std::vector<ReplicationCounts> delivered;        // packets that left at an output
  std::vector<ReplicationCounts> delivered_early;  // those of the first slots / 2 slots
  // The delays of the delivered packets, summed: by their stamps or, where destinations last, the packets in
  // the network, summed over the slots' ends (Little's law).
  std::vector<ReplicationCounts> delays;
  // [class]
  std::vector<ReplicationCounts> offered;  // packets generated
  std::vector<ReplicationCounts>
      blocked;                       // arrivals that found no place (waiting arrivals count once per slot)
  std::uint64_t switch_updates = 0;  // switching elements advanced by one slot, warm-up included
};

// One run. The same plan and schedule give the same outcome on every machine. Calls `on_progress`
// periodically with the finished fraction of the slots; an exception from it ends the run.
Outcome run(const Plan& plan, const Schedule& schedule, const std::function<void(double)>& on_progress = {});

// A hash of all counts of all replications.
std::uint64_t hash_of(const Outcome& outcome);

}  // namespace headway::slotted
