// SPDX-License-Identifier: Apache-2.0
// The routing family: Graph in, RouteTable out. Buffer state is the selection function's business, not
// routing's.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "headway/base/error.h"
#include "headway/config/parameters.h"
#include "headway/config/registry.h"
#include "headway/routing/route_table.h"
#include "headway/topology/graph.h"

namespace headway {

class Routing {
 public:
  virtual ~Routing() = default;
  virtual void describe(Parameters& parameters) = 0;
  // Can it route networks of this shape?
  virtual bool routes(const Shape& shape) const = 0;
  // Throws SpecError (key "routing.algorithm") if it cannot, with those that can.
  RouteTable build(const Graph& graph) const;
  // One path per source-destination pair: packets of a pair then arrive in order under in-order schemes.
  virtual bool single_path() const = 0;
  // And all packets for a destination go on alike from wherever they meet, as isolation needs.
  virtual bool by_destination() const { return single_path(); }
  // Where there are several candidates a selection function chooses when the packet heads its queue, by what
  // is free then; otherwise the packet's own number decides, and every sender can look ahead.
  virtual bool adaptive() const { return false; }

 private:
  // Of a network that it can route.
  virtual RouteTable table_of(const Graph& graph) const = 0;
};

Registry<Routing> routings();

// The names of the routings that can route networks of this shape and for which `also` holds, with their
// default parameters: what to advise.
std::vector<std::string_view> routings_for(
    const Shape& shape,
    const std::function<bool(const Routing&)>& also = [](const Routing&) { return true; });

}  // namespace headway
