// SPDX-License-Identifier: Apache-2.0
// The enumerations of a spec, and the names of their values.
#pragma once

#include "headway/arbitration/arbiter_kind.h"
#include "headway/config/names.h"
#include "headway/queueing/queue_map.h"
#include "headway/selection/rule.h"
#include "headway/slotted/design.h"
#include "headway/trace/endpoints.h"
#include "headway/traffic/admittance.h"

namespace headway {

// The simulation kernel: event-driven, or slotted with one packet time per slot.
enum class Kernel : std::uint8_t { event_driven, slotted };
// Buffering of a switch: at its inputs, or at inputs and outputs.
enum class Architecture : std::uint8_t { iq, cioq };
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
// When a run ends: after the measured window, or when all jobs are done.
enum class Until : std::uint8_t { time, done };
// When a send completes: when its last byte has left the node, or at the end of its turn.
enum class SendsComplete : std::uint8_t { sent, buffered };
// Treatment of an arrival in the slotted kernel whose queue is full.
enum class WhenFull : std::uint8_t { drop, hold };

template <>
struct Names<Kernel> {
  static constexpr std::string_view kList[] = {"event-driven", "slotted"};
};
template <>
struct Names<Until> {
  static constexpr std::string_view kList[] = {"time", "done"};
};
template <>
struct Names<SendsComplete> {
  static constexpr std::string_view kList[] = {"sent", "buffered"};
};
template <>
struct Names<Architecture> {
  static constexpr std::string_view kList[] = {"iq", "cioq"};
};
template <>
struct Names<Switching> {
  static constexpr std::string_view kList[] = {"cut-through", "store-and-forward"};
};
template <>
struct Names<OutputQueues> {
  static constexpr std::string_view kList[] = {"as-input", "one"};
};
template <>
struct Names<OutputArbiter> {
  static constexpr std::string_view kList[] = {"arbiter", "weighted-round-robin"};
};
template <>
struct Names<TurnsOfLanes> {
  static constexpr std::string_view kList[] = {"none", "strict", "weighted", "infiniband"};
};
template <>
struct Names<Transition> {
  static constexpr std::string_view kList[] = {"step", "ramp"};
};
template <>
struct Names<LoadTarget> {
  static constexpr std::string_view kList[] = {"network", "hottest-link"};
};
template <>
struct Names<NodeNumbers> {
  static constexpr std::string_view kList[] = {"exact", "modulo"};
};
template <>
struct Names<WhenFull> {
  static constexpr std::string_view kList[] = {"drop", "hold"};
};
template <>
struct Names<FreeOutput> {
  static constexpr std::string_view kList[] = {"room-credit", "spare-credit", "now"};
};
template <>
struct Names<ChannelChoice> {
  static constexpr std::string_view kList[] = {"first-room", "most-room"};
};
template <>
struct Names<ArbiterKind> {
  static constexpr std::string_view kList[] = {"round-robin", "oldest-first", "oldest-injected", "random"};
};
template <>
struct Names<Admittance> {
  static constexpr std::string_view kList[] = {"per-destination", "fifo"};
};
template <>
struct Names<EndpointRules::Spread> {
  static constexpr std::string_view kList[] = {"in-turn", "hash"};
};
template <>
struct Names<slotted::Queueing> {
  static constexpr std::string_view kList[] = {"input-link", "output-link"};
};
template <>
struct Names<slotted::Spread> {
  static constexpr std::string_view kList[] = {"by-sender", "by-receiver"};
};
template <>
struct Names<slotted::Blocked> {
  static constexpr std::string_view kList[] = {"wait", "redraw", "discard"};
};

}  // namespace headway
