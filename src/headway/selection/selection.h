// SPDX-License-Identifier: Apache-2.0
// The family of selection functions: adaptive routing's choice among the outputs that lead to a destination.
#pragma once

#include "headway/base/error.h"
#include "headway/config/parameters.h"
#include "headway/config/registry.h"
#include "headway/selection/rule.h"
#include "headway/topology/graph.h"

namespace headway {

class Selection {
 public:
  virtual ~Selection() = default;
  virtual void describe(Parameters& parameters) = 0;
  // Throws SpecError (key "routing.selection") if the function looks at addresses and the graph is no tree.
  virtual SelectionRule build(const Graph& graph) const = 0;
};

Registry<Selection> selections();

}  // namespace headway
