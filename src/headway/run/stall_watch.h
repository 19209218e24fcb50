// SPDX-License-Identifier: Apache-2.0
// When a run searches its network for a deadlock. A search visits all queues, and runs look at their network
// many times, so a search must not cost more than what the network does between two searches.
#pragma once

#include <cstdint>

#include "headway/engine/network.h"
#include "headway/engine/simulation.h"

namespace headway {

class StallWatch {
 public:
  // `simulation` must outlive the watch.
  StallWatch(const Simulation& simulation, const Network& network);

  // Searches for a deadlock if packets are in the network, none has left a switch since the last look, and
  // there has been enough work since the last search. Otherwise returns no stall.
  Stall look();

 private:
  // Choice: so many looks weigh as much as a search, and one at least as much as an event. If little happens
  // in a long run, a deadlock is found after these looks. A run until its jobs are done looks 65,536 times,
  // so at most 64 searches of a large network are not outweighed by events.
  static constexpr std::uint64_t kLooks = 1024;

  const Simulation& simulation_;
  std::uint64_t cost_;        // of a search, in events: one for each queue
  std::uint64_t work_;        // events since the last search, and what looks weigh; the first search is free
  std::uint64_t hops_ = 0;    // at the last look
  std::uint64_t events_ = 0;  // at the last look
  std::uint64_t searched_at_ = UINT64_MAX;  // number of events at the last search
};

}  // namespace headway
