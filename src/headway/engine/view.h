// SPDX-License-Identifier: Apache-2.0
// Read access to a running simulation for observers, metrics and tests. It is the same for every instance of
// the engine and any number of threads, and valid between ticks. A view is a few pointers; pass it by value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "headway/congestion/isolation.h"
#include "headway/congestion/overflow.h"
#include "headway/congestion/pauses.h"
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
struct WaitingPacket : PacketView {
  PacketId id = kNone;
  PortId output = kNone;     // that it requests; kNone: it will choose one of its candidates
  SwitchId chooses = kNone;  // the switch at which it will choose (for_each_choice)
  // With detours: its waypoint behind its output, even if a switch there may still decide against it.
  Course course = {};
  // If it has an output: the first queue of the group that it enters behind this output; StateView::sink() if
  // it no longer needs room there.
  std::uint32_t target = 0;
  PortId kept = kNone;  // without an output: the only candidate that it still waits for
};

inline PortId kept_output(const WaitingPacket& packet) { return packet.kept; }

// Calls visit(output) for the outputs that a packet without one can take.
template <class Visit>
void for_each_choice(const Network& network, const WaitingPacket& packet, Visit&& visit) {
  if (packet.kept != kNone) return visit(packet.kept);
  network.for_each_candidate(packet.chooses, packet.destination, visit);
}

// A packet on a link, on its way to a queue; kNone: it is being delivered.
struct MovingPacket : PacketView {
  PacketId id = kNone;
  Tick end = 0;              // when it can be switched, or is delivered
  bool is_consumed = false;  // by a slow node
  std::uint32_t queue = kNone;
  std::uint32_t via = kNone;  // its waypoint; kNone if a switch may still decide against it
};

// A transfer in progress, from an input to an output of a device. A link that is slower than the input holds
// its output for longer than the input: both are transfers of their own until the input is free.
struct Transfer {
  PortId input = kNone;  // kNone: feedback on a link
  PortId output = kNone;
  Tick end = 0;
  bool holds_input = true;
  bool holds_output = true;
};

// The transfer of an output in progress; feedback has no input.
struct DeviceTransfer {
  PortId input = kNone;
  PortId output = kNone;
  bool holds_input = true;  // false: the packet has left it
};

// A packet that an output sends.
struct SentView {
  PacketId packet = kNone;  // without meaning if the run has several parts (parts.h)
  std::uint32_t generator = kNone;
};

// Packets of one destination that wait at a node to be admitted to an injection queue.
struct AdmittanceView {
  NodeId node = 0;
  NodeId destination = 0;
  std::uint32_t queue = 0;  // injection queue, the first of its group
  std::uint64_t packets = 0;
  bool refused = false;  // isolation refuses the first of them
  bool limited = false;  // their source must not send to the destination yet
  // Them by generator, in the list of all GeneratedPackets; none if nobody asked for it.
  std::uint32_t first_generated = 0;
  std::uint32_t generated = 0;
};

// Those packets of an AdmittanceView that one generator (Workload::generators) has generated.
struct GeneratedPackets {
  std::uint32_t generator = 0;
  std::uint64_t packets = 0;
};

// A flow whose source may not send at full rate or, with a window, has a packet that waits.
struct LimitedFlowView {
  NodeId source = 0;
  NodeId destination = 0;  // kNone: to all
  std::uint32_t service_level = 0;
  double rate = 1;                  // as a fraction of the link rate of the source, for full packets
  std::uint64_t notifications = 0;  // that its source has got since it has been limited
};

class StateView {
 public:
  // The states of all parts of the run (parts.h).
  explicit StateView(std::span<const State* const> parts) : parts_(parts), state_(parts.front()) {}

  Tick now() const;  // the first tick that has not been simulated
  // A queue is given by its number in the network.
  std::uint32_t length(std::uint32_t queue) const;             // packets
  std::uint32_t longest(std::uint32_t queue) const;            // since the measurement began
  std::vector<PacketView> packets(std::uint32_t queue) const;  // head first

  // Packets and transfers as they are between two ticks. Each function replaces the contents of its argument.
  bool head(std::uint32_t queue, WaitingPacket& packet) const;  // false if the queue is empty
  // The packets of at most kQueuesAtOnce queues, head first.
  static constexpr std::size_t kQueuesAtOnce = 16;
  void packets(std::span<const std::uint32_t> queues, std::span<std::vector<WaitingPacket>> packets) const;
  // Those on links and those that slow nodes consume now.
  void on_links(std::vector<MovingPacket>& packets) const;
  // Those in the memory of slow nodes that wait until earlier packets have been consumed.
  void in_receive_memory(std::vector<WaitingPacket>& packets) const;
  bool waits_in_receive_memory(PacketId packet) const;  // visits all packets that are being delivered
  bool consumes(NodeId node) const;                     // the node is slow, and has packets in its memory
  void transfers(std::vector<Transfer>& transfers) const;
  // `generated` may be null. Otherwise, the simulation must count by generator
  // (SimulationOptions::count_by_generator).
  void admittance(std::vector<AdmittanceView>& waiting,
                  std::vector<GeneratedPackets>* generated = nullptr) const;
  // Bytes in a switch for an output and a lane, by which it marks packets; 0 if it marks none.
  std::uint64_t bytes_waiting(PortId output, std::uint32_t lane = 0) const;
  // The rate of the flow between two nodes at service level 0, as a fraction of the node's link rate.
  double rate(NodeId source, NodeId destination) const;
  void limited(std::vector<LimitedFlowView>& flows) const;  // in no order
  // What generated a packet, and its length.
  std::uint32_t generator(PacketId packet) const;
  std::uint32_t bytes(PacketId packet) const;

  // One packet, given by the node that generated it and its serial number there.
  // What it waits for until it is admitted; none if it has been admitted.
  std::optional<AdmittanceView> admittance_of(NodeId node, std::uint32_t serial) const;
  // The packet in an injection queue or on a link; kNone if it is in none. Visits all packets on links.
  PacketId find(NodeId node, std::uint32_t serial) const;
  std::uint32_t queue_of(PacketId packet) const;  // kNone: it is on a link, or at its destination
  // The queue that it is in or on its way to; sink() or more: it goes to its destination.
  std::uint32_t bound_for(PacketId packet) const;
  PacketView packet(PacketId packet) const;
  // Returns true if both packets are of one message of this node.
  bool is_of_message(PacketId packet, NodeId node, std::uint32_t serial) const;

  // The packet that an output sends, or sent last; neither packet nor generator: it was feedback. The
  // simulation must keep what it sends (SimulationOptions::keep_sent).
  SentView sent(PortId output) const;
  // The transfers of one device that are in progress, in the order of its outputs. The simulation must keep
  // what it sends, too.
  void transfers_of(std::uint32_t device, std::vector<DeviceTransfer>& transfers) const;

  // Conditions that a packet at an input port (of a switch, adapter or output unit) waits for.
  std::uint32_t sink() const;  // queues behind it are the memory of slow nodes
  bool has_room(PortId input, const WaitingPacket& packet) const;  // behind its output
  // Behind a candidate output, if the packet has no output yet.
  bool has_room(PortId input, const WaitingPacket& packet, PortId candidate) const;
  // For every way over its candidates: the group of output queues if it lacks room, otherwise the group
  // behind the link.
  void targets(const WaitingPacket& packet, std::vector<std::uint32_t>& targets) const;
  // Isolation lines at the port behind an output that refuse packets to a destination, as bits.
  std::uint32_t refusing(PortId output, NodeId destination) const;
  // Returns true if these refusals apply to the head of a queue, given by its number at its port.
  bool obeys_refusals(std::uint32_t number) const;
  // The serial number by which a packet draws paths.
  std::uint32_t drawn_by(const WaitingPacket& packet) const;
  // The output of a switch for a packet that does not choose: towards `via`, or towards the destination if it
  // is kNone. `serial`: what it draws by.
  PortId next_output(SwitchId sw, std::uint32_t via, NodeId source, NodeId destination,
                     std::uint32_t serial) const;

  // Returns true if an output (of a switch, an adapter or an output unit) must not send, because its link is
  // down.
  bool is_withheld(PortId output) const;
  bool links_change() const;  // during the run
  // Bytes sent over the link behind an output since the start.
  std::uint64_t bytes_sent(PortId output) const;

  // Lanes that pause their senders; null if senders count credits.
  const Pauses* pauses() const;
  // Lines of congestion isolation, and its counts; null in networks without it. Counts are not in the object.
  const Isolation* isolation() const;
  IsolationCounts isolation_counts() const;
  // Owners of queues that destinations own, and the counts; null without overflow queues.
  const Overflow* overflow() const;
  OverflowCounts overflow_counts() const;

 private:
  const State& part_of(NodeId node) const;  // the part that has a node, for what it does not share

  std::span<const State* const> parts_;
  const State* state_;  // of the first part, for what all parts share
};

}  // namespace headway
