// SPDX-License-Identifier: Apache-2.0
// Why packets wait, at one instant: every packet gets a class of waiting, every link a class of time, and
// every queue the root that its packets wait for. docs/waiting.md defines all of them.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <utility>
#include <vector>

#include "headway/engine/view.h"

namespace headway {

// What a packet waits for; the order is that of the tables.
enum class Waiting : std::uint8_t {
  transit,     // nothing: it is on a link
  admittance,  // room in an injection queue
  room,        // room behind its output
  output,      // its output, which another input or feedback holds, or its slow node, which consumes another
  serial,      // its output, which its own input holds
  input,       // its input, which sends by another output
  hol,         // the head of its queue, which needs something else: head-of-line blocking
  limited,     // at its node: its source must not send yet, because of congestion control
  paused,      // room behind its output, whose lane has paused it
};
inline constexpr int kWaitings = 9;

// Waits for room in the queues behind an output.
constexpr bool is_for_room(Waiting waiting) { return waiting == Waiting::room || waiting == Waiting::paused; }

enum class LinkTime : std::uint8_t {
  busy,
  feedback,    // carries credits or notifications
  unwanted,    // idle, no packet at its device wants it, and no packet elsewhere will cross it
  starved,     // idle, no packet at its device wants it, but a packet elsewhere will cross it
  lost_hol,    // idle, and a packet lacks only the place at the head of its queue
  lost_input,  // idle, and a packet has room behind it, but its input sends by another output
  lost_room,   // idle, all packets that want it lack room, and one of them is a victim
  throttled,   // idle, all packets that want it lack room, and none of them is a victim
  down,        // it is down, and packets wait until it is up
};
inline constexpr int kLinkTimes = 9;

// Where the waiting for room ends, and why.
enum class RootKind : std::uint8_t {
  link,      // a link that sends
  crossbar,  // an output of a crossbar that sends to its output queue
  input,     // an input port that sends by another output
  window,    // an empty memory without room: its packets and credits are on the wire
  cycle,     // queues that wait for each other
  receiver,  // a slow node, which consumes packets
  limiter,   // a node that has slowed a flow down; its packets are no victims
  outage,    // a link that is down
};
inline constexpr std::size_t kRootKinds = 8;

struct Root {
  RootKind kind = RootKind::link;
  PortId port = 0;  // port of the graph; of a cycle, the lowest one
  friend auto operator<=>(const Root&, const Root&) = default;
};

// A root and what waits for it.
struct RootSeen {
  Root root;
  std::uint64_t packets = 0;     // charged to it, in the network
  std::uint64_t admittance = 0;  // charged to it, at the nodes
  std::uint64_t victims = 0;     // of all these: packets that will not cross it
  // What generated the packet that it sends, or that the receiver consumes; kNone: it sends none, or no
  // census counts the photograph.
  std::uint32_t sends = kNone;
  // Its congestion tree: the queues that wait for room in another queue. If there are none, there is no tree.
  std::uint32_t tree_queues = 0;
  std::uint64_t tree_packets = 0;
  std::uint32_t tree_ports = 0;
  std::uint32_t depth = 0;  // maximum number of waits for room in a row
  // Destination, number of packets that will cross the root. Empty for a link that leaves a node, because all
  // packets of the node cross it.
  std::vector<std::pair<NodeId, std::uint64_t>> culprits;
};

// A queue with packets, and what its head waits for.
struct QueueSeen {
  std::uint32_t queue = 0;
  WaitingPacket head;
  Waiting waiting = Waiting::room;
  std::uint32_t refusing = 0;  // lines of isolation that refuse the head
  std::uint32_t next = kNone;  // queue in which the head needs room, if it waits for room
  Root ends_in;                // where its waiting ends, if there is no such queue
  std::uint32_t packets = 0;
  std::uint32_t hol = 0;      // of them: in head-of-line blocking
  std::uint32_t victims = 0;  // of them
  PacketView newest;          // the last packet
  std::uint32_t root = 0;     // index of its root in Photograph::roots; kNone: all of its packets move
  std::uint32_t depth = 0;    // number of waits for room in a row until its root
};

struct Photograph {
  std::array<std::uint64_t, kWaitings> packets{};  // [Waiting]
  std::uint64_t movable = 0;                       // of hol: packets that lack only the head's place
  std::uint64_t drain = 0;        // of serial and input: packets behind a head with another output
  std::uint64_t victims = 0;      // packets that wait for a root that they will not cross
  std::vector<RootSeen> roots;    // sorted
  std::vector<QueueSeen> queues;  // queues with packets, by number

  // [port] the input that sends by its output, or whose packet a slow link still sends; or one of these:
  std::vector<PortId> holders;
  static constexpr PortId kNobody = kNone, kFeedback = kNone - 1, kDown = kNone - 2;
  std::vector<PortId> sends_by;              // [port] the output by which its input sends, or kNobody
  std::vector<LinkTime> links;               // [port of the graph]; without meaning where there is no link
  std::vector<std::uint64_t> admittance_at;  // [node] packets
  std::vector<std::uint32_t> hol_to;         // [destination] packets
  std::vector<std::uint64_t> victims_to;     // [destination]
  std::vector<std::uint64_t> culprits_to;  // [destination] packets that wait for a root which they will cross

  // A transfer from an input to an output. Feedback has no input.
  void note(PortId input, bool holds_input, PortId output, bool holds_output) {
    if (holds_output) holders[output] = input == kNone ? kFeedback : input;
    if (holds_input && input != kNone) sends_by[input] = output;
  }
  // Returns true if an input has sent the packet that holds an output.
  static bool is_input(PortId holder) { return holder < kDown; }
  bool is_free(PortId output) const { return holders[output] == kNobody; }
  bool is_idle(PortId input) const { return sends_by[input] == kNobody; }
  // All packets that wait for something.
  std::uint64_t waiting() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t count : packets) sum += count;
    return sum - of(Waiting::transit);
  }
  std::uint64_t of(Waiting waiting) const { return packets[static_cast<std::size_t>(waiting)]; }
};

}  // namespace headway
