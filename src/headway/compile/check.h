// SPDX-License-Identifier: Apache-2.0
// Checks many specs one after the other, such as the points of a sweep. Networks and routes take most of the
// time of a check; specs that agree on them share them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "headway/base/cancel.h"
#include "headway/base/error.h"
#include "headway/compile/memory.h"
#include "headway/compile/network_plan.h"
#include "headway/compile/seen_networks.h"
#include "headway/compile/trace.h"
#include "headway/config/document.h"
#include "headway/spec/spec.h"

namespace headway {

// The network of a spec, not to be simulated. Throws SpecError with all mistakes of the spec.
NetworkPlan plan_of(const EventSpec& spec);

// By the trace's table in the resolved spec, the number of nodes, the rate of links and the seed.
using SeenTraces = std::map<std::string, SeenTrace>;

class SpecChecks {
 public:
  // `cancelled` is polled while traces are read. If `networks` does not build the graph of a spec because of
  // its size, the checks that need the graph are skipped.
  explicit SpecChecks(SeenNetworks& networks, CancelFlag cancelled = nullptr,
                      Purpose purpose = Purpose::simulate)
      : networks_(networks), cancelled_(cancelled), purpose_(purpose) {}

  // Reports every mistake that the ranges of the fields do not show: sizes against packets, destinations
  // against nodes, loads, memory and so on, under dotted keys. Without mistakes, `build` succeeds. `written`
  // is the resolved spec.
  void check(const Spec& spec, const Document& written, Mistakes& mistakes);
  // The memory that a run of the last checked spec needs; 0 unless it is valid and event-driven.
  const MemoryNeed& need() const { return need_; }
  // The network of the last checked spec; null if it has none, or mistakes.
  const NetworkPlan* plan() const { return plan_ ? &*plan_ : nullptr; }
  // That plan, to keep. Call it only if there were no mistakes.
  NetworkPlan take_plan() { return std::move(plan_).value(); }
  // [trace] of the last checked spec, if there were no mistakes.
  const std::vector<double>& compressions() const { return compressions_; }

 private:
  SeenNetworks& networks_;
  CancelFlag cancelled_;
  Purpose purpose_;
  SeenTraces traces_;
  std::vector<double> compressions_;
  MemoryNeed need_;
  std::optional<NetworkPlan> plan_;
};

}  // namespace headway
