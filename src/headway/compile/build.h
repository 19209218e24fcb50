// SPDX-License-Identifier: Apache-2.0
// Converts a Spec to the constant tables of a run. The tables contain no strings and no choices.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "headway/base/cancel.h"
#include "headway/compile/memory.h"
#include "headway/compile/seen_networks.h"
#include "headway/engine/network.h"
#include "headway/engine/workload.h"
#include "headway/metrics/cut_off.h"
#include "headway/spec/spec.h"

namespace headway {

struct Model {
  Network network;
  Workload workload;
  std::optional<Tick> warmup;  // none: detected by the run
  Tick duration = 0;
  std::optional<Tick> limit = {};  // until jobs are done; none: until the window ends
  Tick bin = 0;
  Tick interval = 0;  // mean time between photographs
  std::vector<std::uint32_t>
      flow_of_spec;  // [flow of the workload]; nodes with other link rates have copies of flows
  FlowNumbers flows;
  // None if the spec has neither classes nor turns of lanes.
  ClassNumbers classes = {};
  std::vector<std::string> class_names = {};
  MemoryNeed need;
  CutOff cut_off = {};
  std::shared_ptr<SeenBottlenecks> bottlenecks = {};
};

// Throws SpecError with every mistake that `check` finds. Takes the graph and the routes from `networks`.
// Reads traces, here and during the run, until `cancelled` is set.
Model build(const EventSpec& spec, SeenNetworks& networks, CancelFlag cancelled = nullptr);
Model build(const EventSpec& spec);  // builds its own graph and routes

}  // namespace headway
