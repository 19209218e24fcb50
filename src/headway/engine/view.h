// SPDX-License-Identifier: Apache-2.0
// What observers, metrics and tests may read of a running simulation: const, the same for every instance of
// the engine, valid between ticks. A view is a pointer; copy it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "headway/congestion/isolation.h"
#include "headway/congestion/overflow.h"
#include "headway/engine/network.h"

namespace headway {

struct State;

struct PacketView {
  NodeId source = 0;
  NodeId destination = 0;
  std::uint32_t serial = 0;  // at its source
  friend bool operator==(const PacketView&, const PacketView&) = default;
};

// A packet in a queue, and what it needs to leave the device that it is in.
struct WaitingPacket {
  NodeId source = 0;
  NodeId destination = 0;
  std::uint32_t serial = 0;
  PortId output = kNone;     // that it requests; kNone: it will choose one of its candidates
  SwitchId chooses = kNone;  // then, at this switch: Network::for_each_candidate
  // With detours, the waypoint that it goes to behind its output; a switch there may still decide against it.
  Course course = {};
  // With an output, the first of the group of queues that it enters behind it; StateView::sink() if it needs
  // no room there any more.
  std::uint32_t target = 0;
};

// A packet on a link, on its way to a queue; kNone: it is being delivered.
struct MovingPacket {
  NodeId source = 0;
  NodeId destination = 0;
  std::uint32_t serial = 0;
  std::uint32_t queue = kNone;
  std::uint32_t via = kNone;  // the waypoint that it goes to, unless a switch may still decide against it
};

// A transfer in progress: it holds an input and an output of a device. Feedback on a link holds no input.
struct Transfer {
  PortId input = kNone;
  PortId output = kNone;
};

// Packets of one destination that wait at a node to be admitted to an injection queue.
struct AdmittanceView {
  NodeId node = 0;
  NodeId destination = 0;
  std::uint32_t queue = 0;  // injection queue, the first of its group
  std::uint32_t packets = 0;
  bool refused = false;  // by isolation, for the first of them
};

class StateView {
 public:
  explicit StateView(const State& state) : state_(&state) {}

  // Of a queue, by its number in the network.
  std::uint32_t length(std::uint32_t queue) const;             // packets
  std::uint32_t longest(std::uint32_t queue) const;            // since the measurement began
  std::vector<PacketView> packets(std::uint32_t queue) const;  // head first

  // Packets and transfers as they are between two ticks. Each function replaces what is in its argument.
  bool head(std::uint32_t queue, WaitingPacket& packet) const;  // false if the queue is empty
  // Of at most kQueuesAtOnce queues, each head first.
  static constexpr std::size_t kQueuesAtOnce = 16;
  void packets(std::span<const std::uint32_t> queues, std::span<std::vector<WaitingPacket>> packets) const;
  void on_links(std::vector<MovingPacket>& packets) const;
  void transfers(std::vector<Transfer>& transfers) const;
  void admittance(std::vector<AdmittanceView>& waiting) const;
  std::uint64_t waiting_for_admittance() const;  // packets

  // Rules that a packet at an input port (of a switch, or of an adapter or output unit) waits by.
  std::uint32_t sink() const;
  bool has_room(PortId input, const WaitingPacket& packet) const;  // behind its output
  // By a candidate output, if the packet has no output yet.
  bool has_room(const WaitingPacket& packet, PortId candidate) const;
  // Of every way by its candidates, the group of queues that lacks room, or the last.
  void targets(const WaitingPacket& packet, std::vector<std::uint32_t>& targets) const;
  // Lines of isolation at the port behind an output that do not let packets to a destination go on, as bits.
  std::uint32_t refusing(PortId output, NodeId destination) const;
  // Must the head of this queue, by its number at its port, heed them?
  bool heeds_refusals(std::uint32_t number) const;
  // The output of a switch by which a packet that does not choose goes on, to a waypoint if `via` is one.
  PortId next_output(SwitchId sw, std::uint32_t via, NodeId source, NodeId destination,
                     std::uint32_t serial) const;

  // Over the link behind an output, since the start.
  std::uint64_t bytes_sent(PortId output) const;

  // Lines and counts of congestion isolation; null without.
  const Isolation* isolation() const;
  // Owners and counts of queues that destinations own; null without.
  const Overflow* overflow() const;

 private:
  const State* state_;
};

}  // namespace headway
