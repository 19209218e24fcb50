// SPDX-License-Identifier: Apache-2.0
// How long packets wait at the heads of queues, as photographs see it, and who takes meanwhile what they
// lack. A head is starved if it lets far more packets pass than a fair arbiter would let pass
// (docs/waiting.md, "Stalls").
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "headway/engine/view.h"
#include "headway/observe/photograph.h"

namespace headway {

// A packet at the head of a queue, from the first photograph that shows it there to the last.
struct HeadWait {
  std::uint32_t queue = 0;
  WaitingPacket head;  // as seen last
  Waiting waiting = Waiting::room;
  Root root;  // that it waits for
  Tick since = 0;
  Tick until = 0;
  std::uint32_t photographs = 1;
  // Packets of others that have taken what it lacks since. Where several queues are behind its output, at
  // most one is counted between two photographs.
  std::uint64_t passed = 0;
  // Most heads, at a time, that wanted the same or were at the same input, with itself.
  std::uint32_t rivals = 1;
  std::vector<std::pair<PortId, std::uint32_t>> holders;  // inputs that held its output, photographs

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
  // The head that has waited longest; null if no queue has a packet.
  const HeadWait* longest() const;

 private:
  bool is_starved(const HeadWait& wait) const;
  void count_wishes(const Photograph& photograph);
  std::uint32_t rivals_of(const QueueSeen& seen) const;
  void go_on(HeadWait& wait, const QueueSeen& seen, const Photograph& photograph,
             const StateView& view) const;
  std::uint64_t passed(const QueueSeen& seen, const StateView& view) const;
  std::uint64_t sent(PortId output, const StateView& view) const;
  bool shares_room(std::uint32_t target) const;
  bool has_grown(std::uint32_t target) const;

  const Network& network_;
  std::uint64_t fair_turns_;          // of every rival, before a head counts as starved
  std::vector<PortId> port_of_;       // [queue] whose input side it is at
  std::vector<HeadWait> next_waits_;  // kept for its memory
  std::vector<HeadWait> waits_;       // of the last photograph, by their queues
  std::vector<HeadWait> starved_;     // gone
  std::vector<std::uint64_t> bytes_;  // [port of the graph] sent until the last photograph

  // Of the photograph being looked at and the one before it.
  struct Newest {
    std::uint32_t queue;
    PacketView packet;
  };
  std::vector<Newest> newest_, newest_before_;  // by queue
  FlatMap<std::uint64_t> wishes_;               // output << 32 | target -> heads that want it
  std::vector<std::uint32_t> unbound_;          // [port] heads that may choose its output
  std::vector<std::uint32_t> at_input_;         // [port] queues with packets
};

}  // namespace headway
