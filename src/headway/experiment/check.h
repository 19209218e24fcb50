// SPDX-License-Identifier: Apache-2.0
// Checking many specs one after the other, such as the points of a sweep. What a check costs beyond a few
// comparisons, building a network and its routes, is done once for all specs that agree on it.
#pragma once

#include "headway/base/document.h"
#include "headway/base/error.h"
#include "headway/experiment/seen_networks.h"
#include "headway/experiment/spec.h"

namespace headway {

class SpecChecks {
 public:
  // As `check` of one spec; `written` is the same spec, resolved.
  void check(const Spec& spec, const Document& written, Mistakes& mistakes);
  // What a run of that spec needs, if it is a valid one of the event-driven kernel.
  const MemoryNeed& need() const { return need_; }

 private:
  SeenNetworks networks_;
  MemoryNeed need_;
};

}  // namespace headway
