// SPDX-License-Identifier: Apache-2.0
// Converts a Spec to the constant tables of a run. The tables contain no strings and no choices.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "headway/base/cancel.h"
#include "headway/compile/plan.h"
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
  std::shared_ptr<const Bottlenecks> bottlenecks = {};
};

// The spec has its changes (what_if.h), and its plan has no mistakes. Reads traces, here and during the run,
// until `cancelled` is set.
Model build(const EventSpec& spec, Plan plan, CancelFlag cancelled = nullptr);
// Plans the spec itself. Throws SpecError with all mistakes of the spec.
Model build(const EventSpec& spec);

}  // namespace headway
