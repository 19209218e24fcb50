// SPDX-License-Identifier: Apache-2.0
// Parts of a network that follow from a spec. `check_...` reports what does not fit together.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "headway/arbitration/lane_turns.h"
#include "headway/base/error.h"
#include "headway/compile/job_plan.h"
#include "headway/engine/network_options.h"
#include "headway/engine/workload.h"
#include "headway/routing/service_levels.h"
#include "headway/spec/spec.h"

namespace headway {

// Memory of switches and nodes (room_plan.cpp). By default, it is 4 KiB a port, and more where the network
// needs it. `queues` are those of the port. The options must have the lanes, sizes and pauses of the network.

// Memory is split evenly over its queues and consists of whole slots or cells (docs/modelling.md, "Devices").
std::uint32_t credits_per_queue(const Bytes& memory, std::int64_t queues, const Bytes& slot);
Bytes input_memory(const EventSpec& spec, const Graph& graph, const NetworkOptions& options,
                   std::uint32_t queues);
Bytes output_memory(const EventSpec& spec, const Graph& graph, const NetworkOptions& options,
                    std::uint32_t queues);
// Per lane of a slow node. `queues`: of an input port.
Bytes receive_memory(const EventSpec& spec, const Graph& graph, const NetworkOptions& options,
                     std::uint32_t queues);
// Sets the memory of the options. `queues`: of an input port.
void plan_room(const EventSpec& spec, const Graph& graph, std::uint32_t queues, NetworkOptions& options);

// Service levels (service_plan.cpp).

// Reads the tables that the spec names. Reports their mistakes, and lanes that nothing uses.
ServiceLevels service_levels_of(const EventSpec& spec, const Graph& graph, Mistakes& mistakes);
// The service levels that flows, traces, jobs and notifications name, ascending.
std::vector<std::uint8_t> named_service_levels(const EventSpec& spec);

// Classes of traffic, and how they take turns (class_plan.cpp). All but check_classes need a spec without
// mistakes.

void check_classes(const EventSpec& spec, Mistakes& mistakes);
// The names of the classes: those of the spec, then "lane 2" for every lane that is in none of them. Empty if
// the spec has neither classes nor turns.
std::vector<std::string> class_names(const EventSpec& spec);
// The classes of service levels and lanes in results.
ClassNumbers class_numbers(const EventSpec& spec);
// `lanes`: of a port. None if lanes take no turns.
std::optional<LaneTurns> lane_turns_of(const EventSpec& spec, std::uint32_t lanes);

// Slow nodes: those that consume packets at a rate of their own (receivers.cpp).

// [node] the fraction of its link's rate at which it consumes packets; 0: it consumes them at once. Empty if
// all nodes do.
std::vector<Rational> receive_rates(const EventSpec& spec, std::uint32_t nodes, Mistakes& mistakes);

// Congestion control (control_plan.cpp).

// Sets the marking and the reaction of a network that has all other options.
void plan_control(const EventSpec& spec, const Graph& graph, const QueueMap& map, NetworkOptions& options);
void check_control(const EventSpec& spec, const QueueMap& map, const NetworkOptions& options,
                   Mistakes& mistakes);

// Pauses (pause_plan.cpp).

// Lengths of the packets of the spec's traffic, in bytes. Traces are read during the run, so that their
// packets can have any length.
struct PacketLengths {
  std::uint32_t shortest = 1;
  std::uint32_t unit = 1;  // the largest size of which all packets are multiples
};
PacketLengths packet_lengths(const EventSpec& spec, std::span<const JobPlan> jobs);
// The rules of pauses without their thresholds, for a network that has all other options but its memory.
std::optional<PauseRules> pause_rules(const EventSpec& spec, const Graph& graph, const PacketLengths& lengths,
                                      NetworkOptions options);
// Sets the thresholds of a network with pauses.
void set_thresholds(const EventSpec& spec, NetworkOptions& options);
// Jobs, and flows with a window, would wait for ever for a packet that is lost.
bool may_lose_packets(const EventSpec& spec);
void check_pauses(const EventSpec& spec, const NetworkOptions& options, Mistakes& mistakes);

}  // namespace headway
