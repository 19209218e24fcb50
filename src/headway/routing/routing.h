// SPDX-License-Identifier: Apache-2.0
// The routing family: a routing builds Routes for a Graph. Only selection functions use buffer state.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "headway/base/error.h"
#include "headway/base/units.h"
#include "headway/config/parameters.h"
#include "headway/config/registry.h"
#include "headway/topology/graph.h"
#include "headway/topology/link_faults.h"

namespace headway {

struct Routes;

class Routing {
 public:
  virtual ~Routing() = default;
  virtual void describe(Parameters&) {}
  // Returns true if it can route networks of this shape.
  virtual bool routes(const Shape& shape) const = 0;
  // Returns true if it can route around failed links in networks of this shape.
  virtual bool avoids_failures(const Shape&) const { return false; }
  // Throws SpecError (key "routing.algorithm") if it cannot route networks of this kind, and lists those that
  // can.
  void check(const Graph& graph) const;
  // Checks the graph and routes it. After failures, there may be no path between some nodes. Depending on
  // `unreachable`, this is a mistake (key "network.failures"), or the table has no candidates there
  // (paths_left.h).
  Routes build(const Graph& graph, Unreachable unreachable = Unreachable::mistake) const;
  // One path per source-destination pair: packets of a pair then arrive in order under in-order schemes.
  virtual bool single_path() const = 0;
  // One path per pair, and packets for a destination continue on the same path from any switch where they
  // meet, as isolation requires. If it is true and the routes of a network give several ports, it does not
  // hold there.
  virtual bool by_destination() const { return single_path(); }
  // If true, a selection function chooses among several candidates by the current state. Otherwise the
  // packet's own random number decides, so that upstream ports can look ahead.
  virtual bool adaptive() const { return false; }
  // Returns true if it can draw for all packets of a message at once (ChoosePer::message).
  virtual bool draws() const { return false; }
  // Adaptive: how a packet chooses when it arrives at a switch; none: it chooses at the head of its queue.
  struct AtArrival {
    Bytes free_load{0};         // an output is free if no more waits for it
    std::optional<Bytes> step;  // loads that differ by less are equal; none: a full packet
  };
  virtual std::optional<AtArrival> at_arrival() const { return std::nullopt; }

 private:
  // Called only for a network that it can route.
  virtual Routes routes_of(const Graph& graph) const = 0;
};

Registry<Routing> routings();

// The names of the routings that, with default parameters, can route networks of this shape and satisfy
// `also`; for hints.
std::vector<std::string_view> routings_for(const Shape& shape,
                                           const std::function<bool(const Routing&)>& also);

}  // namespace headway
