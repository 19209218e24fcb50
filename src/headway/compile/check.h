// SPDX-License-Identifier: Apache-2.0
// Checking many specs one after the other, such as the points of a sweep. What a check costs beyond a few
// comparisons, building a network and its routes, is done once for all specs that agree on it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "headway/base/cancel.h"
#include "headway/base/error.h"
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
  // Graphs of at most `most_graphs` bytes altogether are built; what needs others is not checked. `cancelled`
  // is polled while traces are read.
  explicit SpecChecks(CancelFlag cancelled = nullptr, std::uint64_t most_graphs = UINT64_MAX)
      : cancelled_(cancelled), networks_(most_graphs) {}

  // As `check` of one spec; `written` is the same spec, resolved.
  void check(const Spec& spec, const Document& written, Mistakes& mistakes);
  // What a run of that spec needs, if it is a valid one of the event-driven kernel.
  const MemoryNeed& need() const { return need_; }
  // Was a graph not built for its size?
  bool left_out_graphs() const { return networks_.left_out(); }

 private:
  CancelFlag cancelled_;
  SeenNetworks networks_;
  SeenTraces traces_;
  MemoryNeed need_;
};

}  // namespace headway
