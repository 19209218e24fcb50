// SPDX-License-Identifier: Apache-2.0
// The queueing-scheme family: Graph in, QueueMap out.
#pragma once

#include <optional>

#include "headway/base/error.h"
#include "headway/base/units.h"
#include "headway/config/parameters.h"
#include "headway/config/registry.h"
#include "headway/congestion/isolation.h"
#include "headway/congestion/overflow.h"
#include "headway/queueing/queue_map.h"
#include "headway/topology/graph.h"

namespace headway {

// What a scheme asks for whose queues are made while the network runs: its rules, with their times apart.
struct IsolationPlan {
  IsolationRules rules;  // without times
  Duration idle;
  std::optional<Duration> notification_delay;

  // `tick` divides the times.
  IsolationRules in_ticks(const Duration& tick) const {
    IsolationRules result = rules;
    result.idle = (idle.ns / tick.ns).numerator();
    if (notification_delay) result.notification_delay = (notification_delay->ns / tick.ns).numerator();
    return result;
  }
};

class Scheme {
 public:
  virtual ~Scheme() = default;
  virtual void describe(Parameters& parameters) = 0;
  // What its parameters cannot be together.
  virtual void check(Mistakes&) const {}
  virtual QueueMap build(const Graph& graph) const = 0;
  // Congested flows are put aside into queues besides those of `build`, which is then that of a single queue;
  // the queues of a port share its memory. Only for input-queued switches and one path per pair.
  virtual std::optional<IsolationPlan> isolation() const { return std::nullopt; }
  // Likewise: destinations own queues besides that of `build` as long as they have packets in them.
  virtual std::optional<OverflowRules> overflow(std::uint32_t /*nodes*/) const { return std::nullopt; }
  bool pools_memory() const { return isolation() || overflow(1); }
  // Packets of one source-destination pair stay in order wherever the routing gives them a single path.
  virtual bool in_order() const { return true; }
};

Registry<Scheme> schemes();

}  // namespace headway
