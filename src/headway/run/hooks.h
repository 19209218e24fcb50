// SPDX-License-Identifier: Apache-2.0
// What predictions and tests can ask of a run. Nothing of it changes results.
#pragma once

#include <cstdint>
#include <functional>

#include "headway/engine/backlog.h"

namespace headway {

struct Network;
class Simulation;
struct SimulationOptions;
struct Workload;

// Is called between the ticks of a run; returns how many of them the next part has. It can end the run by an
// exception.
using Watch = std::function<std::uint64_t(const Simulation&, const Network&)>;

// Is called before the simulation of a run is made.
using Begin = std::function<void(const Network&, const Workload&, const SimulationOptions&)>;

struct RunHooks {
  Begin begin = {};
  Watch watch = {};                 // without it, a run goes on to its end
  KeptMessages kept_messages = {};  // for tests
  bool always_cut = false;          // for tests: uses all threads even if they make the run slower
  bool always_look = false;         // for tests: looks for stretches to skip, whatever it costs
  std::uint32_t left_out = 0;       // for tests: parts of a state that are not compared (engine/state_part.h)
};

}  // namespace headway
