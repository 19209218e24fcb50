// SPDX-License-Identifier: Apache-2.0
// Why packets wait, at one instant: every packet gets a class of waiting, every link a class of time, and
// every queue the root that its packets wait for. docs/waiting.md defines all of them.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "headway/base/number_groups.h"
#include "headway/base/rng.h"
#include "headway/engine/view.h"
#include "headway/observe/paths.h"

namespace headway {

// What a packet waits for; the order is that of the tables.
enum class Waiting : std::uint8_t {
  transit,     // nothing: it is on a link
  admittance,  // room in an injection queue
  room,        // room behind its output
  output,      // its output, which another input or feedback holds
  serial,      // its output, which its own input holds
  input,       // its input, which sends by another output
  hol,         // the head of its queue, which needs something else: head-of-line blocking
};
inline constexpr int kWaitings = 7;

enum class LinkTime : std::uint8_t {
  busy,
  feedback,    // carries credits or notifications
  unwanted,    // idle, no packet at its device wants it, and no packet elsewhere will cross it
  starved,     // idle, no packet at its device wants it, but a packet elsewhere will cross it
  lost_hol,    // idle, and a packet lacks only the place at the head of its queue
  lost_input,  // idle, and a packet has room behind it, but its input sends by another output
  lost_room,   // idle, all packets that want it lack room, and one of them is a victim
  throttled,   // idle, all packets that want it lack room, and none of them is a victim
};
inline constexpr int kLinkTimes = 8;

// Where the waiting for room ends, and why.
enum class RootKind : std::uint8_t {
  link,      // a link that sends
  crossbar,  // an output of a crossbar that sends to its output queue
  input,     // an input port that sends by another output
  window,    // an empty memory without room: its packets and credits are on the wire
  cycle,     // queues that wait for each other
};

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
};

struct Photograph {
  std::array<std::uint64_t, kWaitings> packets{};  // [Waiting]
  std::uint64_t movable = 0;                       // of hol: packets that lack only the head's place
  std::uint64_t drain = 0;        // of serial and input: packets behind a head with another output
  std::uint64_t victims = 0;      // packets that wait for a root that they will not cross
  std::vector<RootSeen> roots;    // sorted
  std::vector<QueueSeen> queues;  // queues with packets, by number

  std::vector<PortId> holders;  // [port] the input that sends by its output; or one of these:
  static constexpr PortId kNobody = kNone, kFeedback = kNone - 1;
  std::vector<LinkTime> links;               // [port of the graph]; without meaning where there is no link
  std::vector<std::uint64_t> admittance_at;  // [node] packets
  std::vector<std::uint32_t> hol_to;         // [destination] packets
  std::vector<std::uint64_t> victims_to;     // [destination]
  std::vector<std::uint64_t> culprits_to;  // [destination] packets that wait for a root which they will cross

  // All packets that wait for something.
  std::uint64_t waiting() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t count : packets) sum += count;
    return sum - of(Waiting::transit);
  }
  std::uint64_t of(Waiting waiting) const { return packets[static_cast<std::size_t>(waiting)]; }
};

class FlowCensus;

// Takes photographs of one network. It does not change the simulation.
class Camera {
 public:
  // If a packet can get room in several queues, a random draw decides for which one it waits. The census of
  // flows, if any, counts every packet that waits; it must outlive the camera.
  Camera(const Network& network, std::uint64_t seed, FlowCensus* census = nullptr);

  // Valid until the next call.
  const Photograph& take(const StateView& view);

  // Memory of a camera, without its data of packets.
  static std::uint64_t bytes(const Layout& layout);

 private:
  enum Request : std::uint8_t { kMovable = 1, kHasRoom = 2, kLacksRoom = 4, kVictim = 8 };
  struct Culprit {
    std::uint32_t root;
    NodeId destination;
    std::uint64_t packets;
  };
  // The root of the packets that wait for an injection queue.
  struct Entrance {
    std::uint64_t photograph = 0;  // number of the photograph that it belongs to
    std::uint32_t root = 0;
    PortId link = kNone;  // link_to_cross
  };
  struct Group {
    std::uint32_t first;
    std::uint32_t queues;
  };

  void read_transfers(const StateView& view);
  void read_heads(const StateView& view);
  QueueSeen classify(const StateView& view, std::uint32_t queue, const WaitingPacket& packet);
  void choose_wait(const StateView& view, PortId input, QueueSeen& seen);
  void wait_for_room(const StateView& view, QueueSeen& seen);
  void wait_for_lines(const StateView& view, PortId behind, std::uint32_t lines, QueueSeen& seen);
  void wait_for_port(PortId input, PortId output, QueueSeen& seen) const;
  bool obeys_refusals(const StateView& view, std::uint32_t queue) const;
  Group group_of(std::uint32_t target) const;
  std::uint32_t draw_queue(const StateView& view);
  Root empty_memory(PortId port) const;
  Root holding(PortId output) const;
  PortId link_of(PortId output) const;
  PortId link_to_cross(const Root& root) const;

  void find_roots();
  std::uint32_t root_number(const Root& root);
  void charge_queue(const StateView& view, std::uint32_t place, const std::vector<WaitingPacket>& packets);
  void charge_admittance(const StateView& view);
  Entrance entrance_of(const StateView& view, const AdmittanceView& waiting);
  Entrance find_entrance(const StateView& view, const AdmittanceView& waiting);
  bool charge(const StateView& view, std::uint32_t root, PortId input, const WaitingPacket& packet);
  void count(const StateView& view, std::uint32_t root, const WaitingPacket& packet, bool crosses);
  void count(std::uint32_t root, NodeId destination, std::uint64_t packets, bool crosses);
  void grow_tree(std::uint32_t root, PortId input, std::uint32_t depth);
  void sum_up_roots();
  void put_roots_in_order();
  void classify_links();

  Waiting behind(const StateView& view, const QueueSeen& seen, const WaitingPacket& packet) const;
  bool needs_the_same(const StateView& view, const QueueSeen& seen, const WaitingPacket& packet) const;
  bool is_within(const WaitingPacket& packet, const WaitingPacket& other) const;
  bool differs(const WaitingPacket& a, const WaitingPacket& b) const;
  bool note_request(const StateView& view, std::uint32_t queue, const WaitingPacket& packet, bool victim);

  const Network& network_;
  Paths paths_;
  Rng rng_;
  Photograph photograph_;
  FlowCensus* census_;

  std::vector<PortId> port_of_;  // [queue] the port whose input side holds it
  std::uint32_t first_injection_queue_;
  std::uint64_t number_ = 0;  // of the photograph being taken

  // Of the photograph being taken.
  std::vector<PortId> sends_by_;         // [port] the output by which its input sends
  std::vector<std::uint8_t> requests_;   // [port] Request, of packets that want its idle output
  std::vector<std::uint32_t> occupied_;  // queues with packets; the place of a queue is its index here
  std::vector<std::uint32_t> place_of_;  // [queue] its place, if it is occupied
  std::vector<std::uint32_t> root_of_;   // [place] in photograph_.roots
  std::vector<std::uint32_t> depth_of_;  // [place]
  std::unordered_map<std::uint64_t, std::uint32_t> number_of_;  // a root's number in photograph_.roots
  std::vector<Culprit> culprits_;
  std::vector<PortId> last_port_;    // [root] the port that was last counted in its tree
  std::vector<Entrance> entrances_;  // [queue - first_injection_queue_]

  // Members only to reuse their memory.
  NumberGroups by_destination_;  // numbers of culprits
  std::vector<RootSeen> unordered_;
  std::vector<Group> groups_;
  std::vector<std::uint32_t> targets_;
  std::vector<std::uint32_t> path_;
  std::vector<Transfer> transfers_;
  std::array<std::vector<WaitingPacket>, StateView::kQueuesAtOnce> packets_;
  std::vector<MovingPacket> moving_;
  std::vector<AdmittanceView> admittance_;
  std::vector<AdmittancePart> parts_;
};

}  // namespace headway
