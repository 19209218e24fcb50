// SPDX-License-Identifier: Apache-2.0
// The interface of the event-driven kernel: simulates a network under a workload, and gives access to the
// counters. There is one virtual call per stretch of simulated time and none per packet (architecture.md).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "headway/base/memory_parts.h"
#include "headway/engine/backlog.h"
#include "headway/engine/in_turn.h"
#include "headway/engine/jobs.h"
#include "headway/engine/network.h"
#include "headway/engine/processes.h"
#include "headway/engine/record.h"
#include "headway/engine/view.h"
#include "headway/engine/workload.h"

namespace headway {

// One delivered packet. A message is complete when as many packets with its source and number have been
// delivered as it has.
struct Delivery {
  NodeId source = 0;
  NodeId destination = 0;
  std::uint32_t serial = 0;     // of the packet at its source
  Tick tick = 0;                // when its tail arrived
  std::uint32_t generator = 0;  // its source, as numbered by Workload::generators
  std::uint32_t message = 0;    // serial number of the first packet of its message
  std::uint32_t packets = 0;    // of its message
  Tick generated = 0;
  Tick injected = 0;
  std::uint32_t bytes = 0;  // of its message in the packet
  friend bool operator==(const Delivery&, const Delivery&) = default;
};

// Is told deliveries in the order of ticks: some thousands at a time, and the rest when run_until returns.
using DeliveryListener = std::function<void(std::span<const Delivery>)>;
// Appends all deliveries to a list, which must outlive the simulation.
inline DeliveryListener append_to(std::vector<Delivery>& list) {
  return [&list](std::span<const Delivery> told) { list.insert(list.end(), told.begin(), told.end()); };
}

struct SimulationOptions {
  std::uint64_t seed = 1;
  bool check = false;                           // verify the invariants of docs/modelling.md after every tick
  bool count_pairs = false;                     // fill Record::bytes_between, which has nodes^2 entries
  bool count_received = false;                  // fill Record::received
  bool count_by_generator = false;              // packets that wait for admission, for StateView::admittance
  std::uint32_t forecast_from = kManyTurns;     // prefetches in ticks with at least this many rounds
  std::uint64_t backlog_limit = UINT64_MAX;     // maximum memory of waiting messages (backlog.h), in bytes
  KeptMessages kept_messages = {};              // no effect on results
  const FlowNumbers* count_flows = nullptr;     // fill Record::flows; must outlive the simulation
  const ClassNumbers* count_classes = nullptr;  // fill Record::classes; must outlive it, too
  DeliveryListener deliveries = {};             // is told every delivery
  bool deliveries_of_flows = false;             // it needs only those of flows and traces
  KeptOfJobs kept_of_jobs = {};                 // what Jobs keeps beyond its state
  JobMessageListener job_messages = {};         // is told every message of jobs
  bool stop_when_done = true;                   // run_until ends when jobs are done
  std::uint32_t threads = 1;                    // at most; no effect on results (parts.h)
  bool always_cut = false;                      // for tests: uses them even if they make the run slower
  Processes* processes = nullptr;               // processes that simulate the run together; null: this one
  bool skip = false;                            // stretches that repeat themselves; no effect on results
  bool always_look = false;                     // for tests: for such stretches, whatever it costs
  std::uint32_t left_out = 0;                   // for tests: a bit for each StatePart that is not compared
  bool keep_sent = false;                       // fill State::sent, for StateView::sent
};

// What a run has skipped (skip.h).
struct SkipCounts {
  std::uint64_t skips = 0;        // stretches of components
  std::uint64_t packet_hops = 0;  // in them
  std::uint64_t looks = 0;        // for stretches that repeat themselves
};

// How Stall::text ends if packets wait for a link that is down, and does not come up any more.
inline constexpr std::string_view kLinkStaysDown = "a link that stays down";

// Packets that can never move again, and a cycle of queues that wait for each other.
struct Stall {
  bool deadlocked = false;
  std::uint64_t packets = 0;  // packets that can never move
  // Queues; each waits for the next one, and the last for the first or, if there is only one, for a link.
  std::vector<std::uint32_t> cycle;
  // "switch 3 port 1 queue 0 (node 4 -> node 9) -> switch 4 port 0 queue 0 (...) -> ...", with the packets at
  // the heads; or "switch 3 port 1 queue 0 (...) -> a link that stays down".
  std::string text;
};

class Simulation {
 public:
  virtual ~Simulation() = default;
  // Processes every event before `end`; ends earlier, after the tick in which the last job that is not in the
  // background has finished (SimulationOptions::stop_when_done), or after the next `most_ticks` ticks that
  // have events. Returns the number of these ticks or, on several threads, of epochs (parts.h), which
  // cannot be limited. Throws InvariantError if a check finds a broken rule, and
  // BacklogTooLarge if the backlog exceeds its limit.
  virtual std::uint64_t run_until(Tick end, std::uint64_t most_ticks = UINT64_MAX) = 0;
  // The counters since the start.
  virtual const Record& record() const = 0;
  // Starts a measurement: resets histograms, disorder and the maximum lengths of queues.
  virtual void begin_measurement() = 0;
  virtual StateView view() const = 0;
  // Finds packets that can never move. Visits all queues.
  virtual Stall find_stall() const = 0;
  virtual const JobsView& jobs() const = 0;
  // Returns true if something moves on without events, because a stretch that repeats itself is skipped.
  virtual bool is_skipping() const { return false; }
  virtual SkipCounts skipped() const { return {}; }
  virtual std::uint32_t threads() const { return 1; }
  virtual double cpu_of_other_threads() const { return 0; }  // seconds, of those that the simulation began
  // The memory that it has now, without the network and the workload.
  virtual MemoryParts memory() const = 0;
};

// `network` and `workload` must outlive the simulation.
std::unique_ptr<Simulation> make_simulation(const Network& network, const Workload& workload,
                                            const SimulationOptions& options);

// In a process that does not lead (SimulationOptions::processes): simulates its parts of a run as the leading
// process asks. Returns the first word of that process that is not about this run.
Parcel take_part(const Network& network, const Workload& workload, const SimulationOptions& options);

}  // namespace headway
