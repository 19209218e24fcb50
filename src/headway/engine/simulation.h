// SPDX-License-Identifier: Apache-2.0
// The face of the event-driven kernel: advance a network under a workload, and read what was counted.
// One virtual call per window of simulated time, none per packet (architecture.md).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "headway/engine/backlog.h"
#include "headway/engine/in_turn.h"
#include "headway/engine/network.h"
#include "headway/engine/record.h"
#include "headway/engine/view.h"
#include "headway/engine/workload.h"

namespace headway {

// One delivered packet, for tests and traces.
struct Delivery {
  NodeId source;
  NodeId destination;
  std::uint32_t serial;  // of the packet at its source
  Tick tick;             // its tail arrived
  friend bool operator==(const Delivery&, const Delivery&) = default;
};

struct SimulationOptions {
  std::uint64_t seed = 1;
  bool check = false;                           // verify the invariants of docs/modelling.md after every tick
  bool count_pairs = false;                     // fill Record::bytes_between; nodes squared in memory
  std::uint32_t forecast_from = kManyTurns;     // rounds of a tick; fewer are not forecast. Moves no result
  std::uint64_t backlog_limit = UINT64_MAX;     // bytes for what waits for admission (backlog.h)
  std::vector<Delivery>* deliveries = nullptr;  // every delivery is appended, in the order of ticks
};

// Packets that can never move again, and a cycle of queues that wait for each other.
struct Stall {
  bool deadlocked = false;
  std::uint64_t packets = 0;         // held for ever
  std::vector<std::uint32_t> cycle;  // queues, each waits for the next and the last for the first
  // "switch 3 port 1 queue 0 (node 4 -> node 9) -> switch 4 port 0 queue 0 (...) -> ...", with the packets at
  // the heads.
  std::string text;
};

class Simulation {
 public:
  virtual ~Simulation() = default;
  // Processes every event before `end`. Throws InvariantError when checking finds a broken rule,
  // BacklogTooLarge past its limit.
  virtual void run_until(Tick end) = 0;
  // What has been counted so far.
  virtual const Record& record() const = 0;
  // A measurement begins: histograms, disorder and the longest lengths of queues start anew.
  virtual void begin_measurement() = 0;
  virtual StateView view() const = 0;
  // Are there packets that nothing can ever move? Costs a pass over all queues.
  virtual Stall find_stall() const = 0;
};

// `network` and `workload` must outlive the simulation.
std::unique_ptr<Simulation> make_simulation(const Network& network, const Workload& workload,
                                            const SimulationOptions& options);

}  // namespace headway
