// SPDX-License-Identifier: Apache-2.0
// The queueing-scheme family: Graph in, QueueMap out.
#pragma once

#include "headway/base/error.h"
#include "headway/base/parameters.h"
#include "headway/base/registry.h"
#include "headway/queueing/queue_map.h"
#include "headway/topology/graph.h"

namespace headway {

class Scheme {
 public:
  virtual ~Scheme() = default;
  virtual void describe(Parameters& parameters) = 0;
  virtual QueueMap build(const Graph& graph) const = 0;
  // Packets of one source-destination pair stay in order wherever the routing gives them a single path.
  virtual bool in_order() const { return true; }
};

Registry<Scheme> schemes();

}  // namespace headway
