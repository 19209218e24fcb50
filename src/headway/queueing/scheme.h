// SPDX-License-Identifier: Apache-2.0
// The queueing-scheme family: a scheme builds a QueueMap for a Graph.
#pragma once

#include <optional>

#include "headway/base/error.h"
#include "headway/base/units.h"
#include "headway/config/parameters.h"
#include "headway/config/registry.h"
#include "headway/congestion/rules.h"
#include "headway/queueing/queue_map.h"
#include "headway/topology/graph.h"

namespace headway {

// The plan of a scheme that allocates queues while the network runs: its rules, and the times separately.
struct IsolationPlan {
  IsolationRules rules;  // without times
  Duration idle;
  std::optional<Duration> signal_delay;

  // `tick` must divide the times.
  IsolationRules in_ticks(const Duration& tick) const {
    IsolationRules result = rules;
    result.idle = (idle.ns / tick.ns).numerator();
    if (signal_delay) result.signal_delay = (signal_delay->ns / tick.ns).numerator();
    return result;
  }
};

class Scheme {
 public:
  virtual ~Scheme() = default;
  virtual void describe(Parameters&) {}
  // Reports parameters that are inconsistent with each other.
  virtual void check(Mistakes&) const {}
  // Throws SpecError if a file that it reads does not fit the graph.
  virtual QueueMap build(const Graph& graph) const = 0;
  // If set, congested flows move to queues in addition to those of `build`, which then returns a single
  // queue. The queues of a port share its memory. Only for input-queued switches and one path per pair.
  virtual std::optional<IsolationPlan> isolation() const { return std::nullopt; }
  // If set, destinations own queues in addition to that of `build` while these queues contain their packets.
  virtual std::optional<OverflowRules> overflow(std::uint32_t /*nodes*/) const { return std::nullopt; }
  bool pools_memory() const { return isolation() || overflow(1); }
  // Returns true if packets of a source-destination pair stay in order when the routing gives them a single
  // path.
  virtual bool in_order() const { return true; }
};

Registry<Scheme> schemes();

}  // namespace headway
