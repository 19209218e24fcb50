// SPDX-License-Identifier: Apache-2.0
// Spec -> the constant tables of a run: the last place where strings and choices exist (architecture.md).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "headway/base/cancel.h"
#include "headway/compile/memory.h"
#include "headway/compile/seen_networks.h"
#include "headway/engine/network.h"
#include "headway/engine/workload.h"
#include "headway/spec/spec.h"

namespace headway {

struct Model {
  Network network;
  Workload workload;
  std::optional<Tick> warmup;  // none: to be detected
  Tick duration = 0;
  Tick bin = 0;
  Tick interval = 0;                        // between photographs, on average
  std::vector<std::uint32_t> flow_of_spec;  // [flow of the workload]; nodes with other links have copies
  MemoryNeed need;
};

// Throws SpecError with every mistake `check` finds. The graph and the routes are those of `networks`. Traces
// are looked into, here and during the run, as long as `cancelled` is not set.
Model build(const EventSpec& spec, SeenNetworks& networks, CancelFlag cancelled = nullptr);
Model build(const EventSpec& spec);  // shares nothing

}  // namespace headway
