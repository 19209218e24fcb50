// SPDX-License-Identifier: Apache-2.0
// Checking many specs one after the other, such as the points of a sweep. What a check costs beyond a few
// comparisons, building a network and its routes, is done once for all specs that agree on it.
#pragma once

#include <cstdint>
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
#include "headway/config/document.h"
#include "headway/spec/spec.h"

namespace headway {

// Every mistake in the spec that its field ranges alone do not show (sizes against packets, destinations
// against nodes, loads, memory needed ...), under dotted keys. Empty means `build` succeeds.
void check(const Spec& spec, Mistakes& mistakes);

// What is wrong with the beginnings of traces, by their tables in the resolved spec and the nodes there are.
using SeenTraces = std::map<std::string, std::vector<Mistake>>;

class SpecChecks {
 public:
  // `cancelled` is polled while traces are read. Specs that need a graph that `networks` does not build are
  // not checked any further.
  explicit SpecChecks(SeenNetworks& networks, CancelFlag cancelled = nullptr)
      : networks_(networks), cancelled_(cancelled) {}

  // As `check` of one spec; `written` is the same spec, resolved.
  void check(const Spec& spec, const Document& written, Mistakes& mistakes);
  // What a run of that spec needs, if it is a valid one of the event-driven kernel.
  const MemoryNeed& need() const { return need_; }
  // And what its network is made of, with all mistakes thrown.
  NetworkPlan take_plan() { return std::move(plan_).value(); }

 private:
  SeenNetworks& networks_;
  CancelFlag cancelled_;
  SeenTraces traces_;
  MemoryNeed need_;
  std::optional<NetworkPlan> plan_;
};

}  // namespace headway
