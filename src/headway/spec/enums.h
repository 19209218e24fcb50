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

// What runs a spec: from event to event, or in slots of one packet each.
enum class Kernel : std::uint8_t { event_driven, slotted };
// Where a switch has its buffers: at its inputs, or at inputs and outputs.
enum class Architecture : std::uint8_t { iq, cioq };
enum class Switching : std::uint8_t { cut_through, store_and_forward };
// Queues of a CIOQ switch's output port: as many as an input port has, or one.
enum class OutputQueues : std::uint8_t { as_input, one };
// What arbitrates among the queues of an output port: SwitchSpec::arbiter, or weighted round robin.
enum class OutputArbiter : std::uint8_t { arbiter, weighted_round_robin };
// How a load gets from one point in time to the next.
enum class Transition : std::uint8_t { step, ramp };
// Whose load TraceSpec::target_load is: the mean over all nodes, or that of the busiest link.
enum class LoadTarget : std::uint8_t { network, hottest_link };
// A trace's node number is that of the network, or is taken modulo its nodes.
enum class NodeNumbers : std::uint8_t { exact, modulo };
// A table of results that a run has if its spec asks for it.
enum class ExtraTable : std::uint8_t {
  per_destination,
  destination_series,
  per_pair,
  pair_series,
  fairness,  // includes per_destination
  per_link,
  port_series,
  cost,
};
// What becomes of an arrival of the slotted kernel that finds its queue full.
enum class WhenFull : std::uint8_t { drop, hold };

template <>
struct Names<Kernel> {
  static constexpr std::string_view kList[] = {"event-driven", "slotted"};
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
struct Names<ExtraTable> {
  static constexpr std::string_view kList[] = {
      "per-destination", "destination-series", "per-pair",    "pair-series",
      "fairness",        "per-link",           "port-series", "cost"};
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
