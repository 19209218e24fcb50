// SPDX-License-Identifier: Apache-2.0
// The enumerations of a spec, and the names of their values.
#pragma once

#include "headway/arbitration/kind.h"
#include "headway/config/names.h"
#include "headway/queueing/queue_map.h"
#include "headway/selection/choose_per.h"
#include "headway/selection/cp_counts.h"
#include "headway/selection/free_output.h"
#include "headway/selection/none_free.h"
#include "headway/trace/endpoints.h"
#include "headway/traffic/admittance.h"

namespace headway {

// Buffering of a switch: at its inputs, or at inputs and outputs.
enum class Architecture : std::uint8_t { iq, cioq, oq };
enum class Switching : std::uint8_t { cut_through, store_and_forward };
// Queues of a CIOQ switch's output port: as many as an input port has, or one.
enum class OutputQueues : std::uint8_t { as_input, one };
// Arbiter of the queues of an output port: SwitchSpec::arbiter, or weighted round robin.
enum class OutputArbiter : std::uint8_t { arbiter, weighted_round_robin };
// How lanes, or classes of lanes, take turns at an output.
enum class TurnsOfLanes : std::uint8_t { none, strict, weighted, infiniband };
// How a load changes between two points in time.
enum class Transition : std::uint8_t { step, ramp };
// What TraceSpec::target_load applies to: the mean over all nodes, or the busiest link.
enum class LoadTarget : std::uint8_t { network, hottest_link };
// Node numbers of a trace are used unchanged, or modulo the number of nodes.
enum class NodeNumbers : std::uint8_t { exact, modulo };
// What becomes of packets whose output leads to a link that is down: they wait, or are lost.
enum class DownLinks : std::uint8_t { wait, lose };
// When a run ends: after the measured window, or when all jobs are done.
enum class Until : std::uint8_t { time, done };
// When a send completes: when its last byte has left the node, or at the end of its turn.
enum class SendsComplete : std::uint8_t { sent, buffered };

constexpr auto names_in_specs(DownLinks) { return name_list("wait", "lose"); }
constexpr auto names_in_specs(Until) { return name_list("time", "done"); }
constexpr auto names_in_specs(SendsComplete) { return name_list("sent", "buffered"); }
constexpr auto names_in_specs(Architecture) { return name_list("iq", "cioq", "oq"); }
constexpr auto names_in_specs(Switching) { return name_list("cut-through", "store-and-forward"); }
constexpr auto names_in_specs(OutputQueues) { return name_list("as-input", "one"); }
constexpr auto names_in_specs(OutputArbiter) { return name_list("arbiter", "weighted-round-robin"); }
constexpr auto names_in_specs(TurnsOfLanes) { return name_list("none", "strict", "weighted", "infiniband"); }
constexpr auto names_in_specs(Transition) { return name_list("step", "ramp"); }
constexpr auto names_in_specs(LoadTarget) { return name_list("network", "hottest-link"); }
constexpr auto names_in_specs(NodeNumbers) { return name_list("exact", "modulo"); }
constexpr auto names_in_specs(FreeOutput) { return name_list("room-credit", "spare-credit", "now"); }
constexpr auto names_in_specs(NoneFree) { return name_list("wait", "preferred"); }
constexpr auto names_in_specs(ChoosePer) { return name_list("packet", "flowlet", "message"); }
constexpr auto names_in_specs(CpCounts) { return name_list("chosen", "routed"); }
constexpr auto names_in_specs(ChannelChoice) { return name_list("first-room", "most-room"); }
constexpr auto names_in_specs(Admittance) { return name_list("per-destination", "fifo"); }
constexpr auto names_in_specs(EndpointRules::Spread) { return name_list("in-turn", "hash"); }

}  // namespace headway
