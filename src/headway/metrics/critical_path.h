// SPDX-License-Identifier: Apache-2.0
// The critical path of a job and what its messages waited for (docs/programs.md, "The critical path").
#pragma once

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "headway/config/names.h"
#include "headway/engine/jobs.h"
#include "headway/metrics/tables.h"
#include "headway/observe/path_watch.h"

namespace headway {

// A step of the path, and how long the packet that ended it waited for what.
struct WatchedStep {
  PathStep step;
  std::vector<std::pair<PacketWait, Tick>> waits;  // sorted; no entry twice
  // The links that this packet has crossed, in their order: the ports of the graph that they leave. Of a
  // departure, only that of the node.
  std::vector<PortId> links = {};

  Tick length() const { return step.end - step.begin; }
  bool is_turn() const { return step.kind == StepKind::turn; }
  // Ticks of the waits that meet a condition. Waiting for packets of the same message is part of its
  // transfer.
  template <class Condition>
  Tick waited(Condition&& condition) const {
    Tick sum = 0;
    for (const auto& [wait, ticks] : waits)
      if (!wait.own && std::invoke(condition, wait)) sum += ticks;
    return sum;
  }
  Tick waited() const {
    return waited([](const PacketWait&) { return true; });
  }
  Tick blocked() const {
    return waited([](const PacketWait& wait) { return wait.waiting == Waiting::hol; });
  }
  Tick victim() const { return waited(&PacketWait::victim); }
};

constexpr auto names_in_specs(Waiting) {
  return name_list("transit", "admittance", "room", "output", "serial", "input", "hol", "limited", "paused");
}

struct CriticalPath {
  std::size_t job = 0;
  std::vector<WatchedStep> steps;

  // The table critical_path lists as many steps of a job, the first ones.
  static constexpr std::size_t kMostListed = 100'000;
};

// The maximum number of rows of the table critical_path; the waits of critical_waits are far fewer. An
// operation is at most a turn and three messages on the path.
inline double most_path_rows(const TableBounds& most) {
  const double steps = 4 * most.path_operations * std::max(1.0, most.iterations);
  return std::min(steps, static_cast<double>(CriticalPath::kMostListed) * most.flows);
}

}  // namespace headway
