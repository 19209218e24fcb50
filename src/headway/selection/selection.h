// SPDX-License-Identifier: Apache-2.0
// The family of selection functions: they choose among the outputs that lead to a destination in adaptive
// routing.
#pragma once

#include "headway/base/error.h"
#include "headway/config/parameters.h"
#include "headway/config/registry.h"
#include "headway/topology/graph.h"

namespace headway {

struct SelectionRule;

class Selection {
 public:
  virtual ~Selection() = default;
  virtual void describe(Parameters&) {}
  // Throws SpecError (key "routing.selection") if the function uses addresses and the graph is not a tree.
  virtual SelectionRule build(const Graph& graph) const = 0;
  // For packets that choose on arrival.
  virtual SelectionRule build_for_arrivals(const Graph& graph) const;
};

Registry<Selection> selections();

}  // namespace headway
