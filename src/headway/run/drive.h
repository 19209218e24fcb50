// SPDX-License-Identifier: Apache-2.0
// Advances a simulation of a run. Between its pieces, the run can be cancelled, tells its progress, and sees
// that its jobs are done or that packets can never move again.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "headway/engine/simulation.h"
#include "headway/run/run.h"
#include "headway/run/stall_watch.h"

namespace headway {

class Drive {
 public:
  struct Pace {
    Tick piece = 1;           // ticks, at most
    bool until_done = false;  // ends when the jobs are done, and looks for a deadlock after each piece
  };
  // Of a simulation that ends when its jobs are done, or at `limit`. Bins can be long in it.
  static Pace until_done(Tick limit) { return {std::max<Tick>(limit / kPieces, 1), true}; }

  // The simulation, the network and the options must outlive the drive. `share_done` is the progress.
  Drive(Simulation& simulation, const Network& network, Pace pace, const RunOptions& options,
        RunProgress progress, std::function<double()> share_done)
      : simulation_(simulation),
        network_(network),
        pace_(pace),
        options_(options),
        progress_(progress),
        share_done_(std::move(share_done)),
        stall_watch_(simulation, network) {}

  Tick now() const { return now_; }
  StateView view() const { return simulation_.view(); }
  const Stall& stall() const { return stall_; }
  bool is_done() const { return pace_.until_done && simulation_.jobs().done(); }
  bool has_ended() const { return stall_.deadlocked || is_done(); }

  // Simulates a piece that ends at `to` or before. Throws Cancelled, and OutOfMemory if the backlog exceeds
  // what the simulation can use.
  void advance(Tick to);
  // The next ticks with events before `to`, at most so many. Returns their number.
  std::uint64_t advance_ticks(Tick to, std::uint64_t most);
  void look_for_deadlock() { stall_ = stall_watch_.look(); }
  // Searches now, whatever the search costs.
  void find_stall() { stall_ = simulation_.find_stall(); }

 private:
  static constexpr Tick kPieces = 1 << 16;

  std::uint64_t simulate(Tick to, std::uint64_t most);
  std::uint64_t messages_of_jobs() const;  // generated

  Simulation& simulation_;
  const Network& network_;
  const Pace pace_;
  const RunOptions& options_;
  const RunProgress progress_;
  const std::function<double()> share_done_;
  StallWatch stall_watch_;
  Stall stall_;
  Tick now_ = 0;
};

}  // namespace headway
