// SPDX-License-Identifier: Apache-2.0
// The third step of a photograph: finds the class and the root of every packet, and whether it is a victim.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "headway/base/number_groups.h"
#include "headway/observe/paths.h"
#include "headway/observe/wait_roots.h"

namespace headway {

class FlowCensus;

class Charges {
 public:
  Charges(const Network& network, HeadWaits& heads, WaitRoots& roots, FlowCensus* census);

  void charge(const StateView& view, Photograph& photograph);
  // Instead, for single packets: what a packet behind the head of a queue waits for, and whether a packet
  // will cross a root. `input`: the port that holds its queue.
  void begin(Photograph& photograph) { photograph_ = &photograph; }
  Waiting behind(const StateView& view, const QueueSeen& seen, const WaitingPacket& packet) const;
  bool crosses(const StateView& view, const Root& root, PortId input, const WaitingPacket& packet);
  bool crosses(const Root& root, const AdmittanceView& waiting);
  // Of the photograph that is being taken.
  const std::vector<MovingPacket>& moving() const { return moving_; }
  // Adds its culprits to every root.
  void list_culprits(Photograph& photograph);
  // What the time of a link is, judged by the packets that want it or can cross it.
  LinkTime time_of(PortId link_of_graph, const Photograph& photograph) const;

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

  void charge_queue(const StateView& view, QueueSeen& seen, const std::vector<WaitingPacket>& packets);
  void charge_receive_memory(const StateView& view);
  void charge_admittance(const StateView& view);
  Entrance entrance_of(const StateView& view, const AdmittanceView& waiting);
  Entrance find_entrance(const StateView& view, const AdmittanceView& waiting);
  bool charge(const StateView& view, std::uint32_t root, Waiting waiting, PortId input,
              const WaitingPacket& packet);
  void count(const StateView& view, std::uint32_t root, Waiting waiting, const WaitingPacket& packet,
             bool crosses);
  void count(std::uint32_t root, NodeId destination, std::uint64_t packets, bool crosses);
  PortId link_of(PortId output) const;
  PortId link_to_cross(const Root& root) const;
  bool needs_the_same(const StateView& view, const QueueSeen& seen, const WaitingPacket& packet) const;
  bool is_within(const WaitingPacket& packet, const WaitingPacket& other) const;
  bool differs(const WaitingPacket& a, const WaitingPacket& b) const;
  bool note_request(const StateView& view, std::uint32_t queue, const WaitingPacket& packet, bool victim);

  const Network& network_;
  HeadWaits& heads_;
  WaitRoots& roots_;
  FlowCensus* census_;
  Paths paths_;
  std::uint32_t first_injection_queue_;

  // What belongs to the photograph that is being taken.
  Photograph* photograph_ = nullptr;
  std::uint64_t number_ = 0;
  std::vector<std::uint8_t> requests_;  // [port] Request, of packets that want its idle output
  std::vector<Culprit> culprits_;
  std::vector<Entrance> entrances_;  // [queue - first_injection_queue_]

  // Members only to reuse their memory.
  NumberGroups by_destination_;  // numbers of culprits
  std::array<std::vector<WaitingPacket>, StateView::kQueuesAtOnce> packets_;
  std::vector<MovingPacket> moving_;
  std::vector<WaitingPacket> received_;
  std::vector<AdmittanceView> admittance_;
  std::vector<GeneratedPackets> generated_;
};

}  // namespace headway
