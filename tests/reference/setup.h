// SPDX-License-Identifier: Apache-2.0
// The input of the reference simulator. It is derived from the spec and its graph without `compile`, so that
// the comparison finds mistakes in compiling, too. Both simulators share what a spec names: routings,
// schemes, selections, patterns, sources, arrivals, loads over time, tables from users.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "headway/engine/network.h"
#include "headway/engine/workload.h"
#include "headway/routing/service_levels.h"
#include "headway/spec/spec.h"

namespace headway::reference {

// A link that is down, or has another rate, from `at` on for `lasts` ticks, and again `every` ticks.
struct LinkTrouble {
  PortId link = 0;  // in this direction
  Tick at = 0;
  Tick lasts = -1;                     // -1: for ever
  Tick every = 0;                      // 0: it happens once
  std::optional<Tick> ticks_per_byte;  // none: it is down

  bool holds(Tick now) const;
};

// Routes while these links are down.
using RoutesWithout = std::function<Routes(const std::set<PortId>&)>;

struct Setup {
  Graph graph;
  Routes routes;
  QueueMap queue_map;
  NetworkOptions rules;
  ServiceLevels services = {};  // not part of the routes
  std::vector<LinkTrouble> troubles = {};
  std::optional<Tick> reroute_after = {};
  RoutesWithout routes_without = {};
  std::uint64_t flow_table = 0;  // entries of a switch, if the spec says so
  std::uint64_t labels = 0;      // of paths
};

// `graph` is the spec's graph. The spec must be valid and without traces.
Setup setup_of(const EventSpec& spec, Graph graph);
// For networks that no spec describes: copies of what the network was made from.
Setup setup_of(const Network& network);

// The traffic of that spec. Traces are left out because their messages would need a second reader of traces.
Workload workload_of(const EventSpec& spec, const Setup& setup);

// A port of a device. Its input side holds queues. Its output side leads to its peer: over a link, or from a
// crossbar to an output unit.
struct WiredPort {
  enum class Kind : std::uint8_t { of_switch, adapter, output_unit };
  Kind kind;
  std::uint32_t device;
  std::uint32_t local;    // number within the device
  PortId peer = kNone;    // port that its output side sends to
  PortId source = kNone;  // port whose output side sends to it
  Tick delay = 0;         // on the way to the peer
  Tick ticks_per_byte = 0;
  Tick read_ticks_per_byte =
      0;  // of a switch's input: in the rate of the link into it, or of a faster crossbar
};

// Devices and ports in the order of docs/modelling.md, "Devices": ports as in the graph, then one output
// unit per switch port, if there are any.
struct Wiring {
  std::vector<WiredPort> ports;
  std::vector<std::vector<PortId>> devices;  // their ports
};
Wiring wiring_of(const Setup& setup);

}  // namespace headway::reference
