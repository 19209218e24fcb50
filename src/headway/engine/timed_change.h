// SPDX-License-Identifier: Apache-2.0
// What changes in a network during a run (docs/modelling.md, "Events"): links go down, come up or get another
// rate, and new routes hold.
#pragma once

#include <cstdint>
#include <memory>

#include "headway/base/ids.h"
#include "headway/routing/routes.h"

namespace headway {

struct TimedChange {
  Tick tick = 0;
  PortId link = kNone;               // of a port of the graph, in this direction; kNone: new routes hold
  std::uint32_t ticks_per_byte = 0;  // of the link from now on; 0: it is down
  std::shared_ptr<const Routes> routes = nullptr;  // those that hold from now on
};

}  // namespace headway
