// SPDX-License-Identifier: Apache-2.0
// How long packets wait at the heads of queues, as seen in photographs, and how many packets of others
// meanwhile take what they lack. A head is starved if far more packets pass it than with a fair arbiter
// (docs/waiting.md, "Stalls").
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "headway/base/flat_map.h"
#include "headway/engine/view.h"
#include "headway/observe/photograph.h"

namespace headway {

// A packet at the head of a queue, from the first photograph that shows it there to the last.
struct HeadWait {
  std::uint32_t queue = 0;
  WaitingPacket head;               // as last seen
  std::uint32_t generator = kNone;  // that generated it (Workload::generators)
  Waiting waiting = Waiting::room;
  Root root;  // the root that it waits for
  Tick since = 0;
  Tick until = 0;
  std::uint32_t photographs = 1;
  // Packets of others that have meanwhile taken what it lacks. If several queues are behind its output, at
  // most one packet is counted between two photographs.
  std::uint64_t passed = 0;
  // Maximum number of heads, including itself, that wanted the same or were at the same input at one time.
  std::uint32_t rivals = 1;
  std::vector<std::pair<PortId, std::uint32_t>> holders;  // input that held its output, number of photographs

  bool same_packet(const WaitingPacket& packet) const {
    return head.source == packet.source && head.serial == packet.serial;
  }
};

class HeadWatch {
 public:
  explicit HeadWatch(const Network& network);

  void look(const Photograph& photograph, const StateView& view, Tick now);
  void begin_measurement() { starved_.clear(); }

  // Heads that were starved and have gone since the measurement began, and those that are starved now.
  std::vector<HeadWait> starved() const;
  // Returns true if classes of a higher level are served before the class of the head.
  bool is_outranked(const HeadWait& wait) const;
  // The head that has waited longest; null if no queue has a packet.
  const HeadWait* longest() const;

 private:
  bool is_starved(const HeadWait& wait) const;
  void count_requests(const Photograph& photograph);
  std::uint32_t rivals_of(const QueueSeen& seen) const;
  void go_on(HeadWait& wait, const QueueSeen& seen, const Photograph& photograph,
             const StateView& view) const;
  std::uint64_t passed(const QueueSeen& seen, const StateView& view) const;
  bool waits_for_turn(const QueueSeen& seen) const;
  std::uint32_t wanted_by(const QueueSeen& seen) const;
  std::uint64_t sent(PortId output, const StateView& view) const;
  bool shares_room(std::uint32_t target) const;
  std::uint32_t first_of_room(std::uint32_t target) const;
  bool has_grown(std::uint32_t target) const;

  const Network& network_;
  std::uint64_t fair_turns_;          // turns of every rival before a head counts as starved
  std::vector<PortId> port_of_;       // [queue] the port whose input side holds it
  std::vector<HeadWait> next_waits_;  // a member only to reuse its memory
  std::vector<HeadWait> waits_;       // of the last photograph, in the order of queues
  std::vector<HeadWait> starved_;     // starved heads that have left
  std::vector<std::uint64_t> bytes_;  // [port of the graph] sent until the last photograph

  // The newest packet of a queue in the current photograph and in the one before it.
  struct Newest {
    std::uint32_t queue;
    PacketView packet;
  };
  std::vector<Newest> newest_, newest_before_;  // in the order of queues
  FlatMap<std::uint64_t> requests_;             // output << 32 | wanted_by -> heads that want it
  std::vector<std::uint32_t> unbound_;          // [port] heads that may choose its output
  std::vector<std::uint32_t> at_input_;         // [port] queues with packets
};

}  // namespace headway
