// SPDX-License-Identifier: Apache-2.0
// What the reference simulator simulates. Nothing of it is compiled: it is derived from the spec and its
// graph a second time, so that agreement sees the mistakes of compiling, too. What a spec names is defined
// once and asked by both simulators: routings, schemes, selections, patterns, sources, arrivals, loads over
// time, tables that users write.
#pragma once

#include <cstdint>
#include <vector>

#include "headway/engine/network.h"
#include "headway/engine/workload.h"
#include "headway/routing/service_levels.h"
#include "headway/spec/spec.h"

namespace headway::reference {

struct Setup {
  Graph graph;
  Routes routes;
  QueueMap queue_map;
  NetworkOptions rules;
  ServiceLevels services = {};  // that the routes do not contain
};

// `graph` is that of the spec, which must be valid and without traces.
Setup setup_of(const EventSpec& spec, Graph graph);
// For networks that no spec describes: copies of what the network was made from.
Setup setup_of(const Network& network);

// The traffic of that spec. Traces are left out because their messages would need a second reader of traces.
Workload workload_of(const EventSpec& spec, const Setup& setup);

// A port of a device. Its input side holds queues, its output side leads to its peer, by a link or from a
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
};

// Devices and ports in the order of docs/modelling.md, "Devices": ports as in the graph, then one output
// unit per switch port, if there are any.
struct Wiring {
  std::vector<WiredPort> ports;
  std::vector<std::vector<PortId>> devices;  // their ports
};
Wiring wiring_of(const Setup& setup);

}  // namespace headway::reference
