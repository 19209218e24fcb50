// SPDX-License-Identifier: Apache-2.0
// Exact fast-forward. Where the messages of jobs are long, the state of their packets repeats itself to the
// bit, moved in time, after a period. This finds such stretches, and skips them: the result is the same to
// the byte.
//
// The unit is the *component*: messages on their way that are connected by links which they share. Components
// share nothing else (docs/modelling.md, "Arbitrate"), so each has a period and a clock of its own. A
// component whose state after a period is what it was before is *frozen*: its events leave the wheel, and its
// records stay as they are, until all its periods but the last ones have passed, a new message needs one of
// its links, or somebody reads the state of the run. It is then *thawed*: its times and serial numbers move,
// the counters grow by what the periods do, and its events return. If the moment is not the end of a period,
// the component is simulated alone from the last one on.
//
// Instants are between ticks: at instant t, all events before tick t are done, and no other.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "headway/engine/jobs.h"
#include "headway/engine/simulation.h"
#include "headway/engine/state.h"
#include "headway/engine/state_part.h"

namespace headway {

// Why nothing of a run can be skipped, for users; empty: stretches that repeat themselves are skipped.
std::string why_no_skip(const Network& network, const Workload& workload, const SimulationOptions& options);

// Returns true if most bytes of jobs are in messages of at least so many packets.
bool has_long_messages(const Network& network, const Workload& workload, std::uint64_t packets);
// Messages that are much longer than the time until they repeat themselves: users are told why they are not
// skipped.
inline constexpr std::uint64_t kLongMessage = 1024;

// Returns true if one thread that skips is likely to be faster than the threads of the options, which do not.
bool skipping_pays(const Network& network, const Workload& workload, const SimulationOptions& options);

class Skip {
 public:
  // What it needs of the engine.
  struct Engine {
    std::function<void(Tick end)> simulate;            // the events of the wheel before `end`
    std::function<void(NodeId, std::uint32_t)> admit;  // what an injection queue has room for
    // One past the highest number of a packet from a node to another that is delivered.
    std::function<std::uint32_t(NodeId, NodeId)> next_serial;
  };
  virtual ~Skip() = default;

  // The next instant at which stop() is to be called. No event before it may be missed.
  Tick next_stop() const { return next_stop_; }
  virtual void stop() = 0;
  bool has_frozen() const { return frozen_ > 0; }
  // A message of this tick begins, whose links must not be frozen. Before the other events of the tick.
  virtual void make_way(NodeId node, NodeId destination) = 0;
  // Brings everything to the present instant.
  virtual void thaw_all() = 0;
  // Whether draw_matters() is to be told: an input of this output's switch could go to several outputs, so
  // the draw of the tick decided what it does.
  bool watches_draws() const { return verifying_ > 0; }
  virtual void draw_matters(PortId output) = 0;
  const SkipCounts& counts() const { return counts_; }

 protected:
  Tick next_stop_ = 0;
  std::uint32_t frozen_ = 0;     // components
  std::uint32_t verifying_ = 0;  // components whose states are compared
  SkipCounts counts_;
};

// All must outlive it.
std::unique_ptr<Skip> make_skip(State& state, Jobs& jobs, bool has_flows, const SimulationOptions& options,
                                Skip::Engine engine);

}  // namespace headway
