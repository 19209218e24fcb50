// SPDX-License-Identifier: Apache-2.0
// A deliberately simple slotted network: packets are objects in deques, and replications run one after the
// other, by the rules in slotted/design.h. It shares with the kernel only the wiring, the random replications
// and the order in which ties draw random numbers. So the two must agree packet by packet after every slot.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "headway/base/rng.h"
#include "headway/slotted/design.h"
#include "headway/slotted/replications.h"
#include "headway/topology/banyan.h"

namespace headway::slotted {

struct NaivePacket {
  std::uint32_t destination = 0;
  std::uint64_t entered = 0;  // slot
};

class NaiveSlotted {
 public:
  using Queue = std::deque<NaivePacket>;
  struct Count {
    std::uint64_t entered = 0, delivered = 0, lost = 0, delay = 0;
  };

  NaiveSlotted(const Design& design, const Traffic& traffic, std::uint64_t seed);

  // The packets of one class on a link behind stage `link` - 1 (0: at the network inputs). `at` combines
  // layer and position and, if a link has a queue for each output, that output (place_of).
  Queue& queue(std::uint32_t replication, std::uint32_t link, std::uint32_t at, std::uint32_t c) {
    return queues_[replication][{link, at, c}];
  }
  Count& count(std::uint32_t replication, std::uint32_t zone, std::uint32_t c) {
    return counts_[replication][{zone, c}];
  }

  std::uint32_t zone_of(std::uint32_t destination) const;
  const Banyan& net() const { return net_; }
  bool queues_behind() const { return behind_; }
  void stop_sources() { traffic_.load = 0; }
  void step();

 private:
  struct Arrival {
    NaivePacket packet;
    std::uint32_t priority;
  };

  std::uint32_t per_link(std::uint32_t stage) const {
    return behind_ || stage >= net_.stages ? 1 : design_.queues_per_link(stage);
  }
  // The queue of a link before a stage that a packet joins.
  std::uint32_t place_of(std::uint32_t stage, std::uint32_t at, std::uint32_t destination) const {
    const std::uint32_t queues = per_link(stage);
    return queues == 1 ? at : at * queues + net_.port(stage, destination);
  }
  Rng& rng_of(std::uint32_t stage, std::uint32_t sw);
  bool has_room(std::uint32_t replication, std::uint32_t link, std::uint32_t at, std::uint32_t c,
                std::uint32_t stage);
  void put(std::uint32_t replication, std::uint32_t link, std::uint32_t at, std::uint32_t c,
           NaivePacket packet);
  void enter_count(std::uint32_t replication, NaivePacket& packet, std::uint32_t c);
  void deliver(std::uint32_t replication, const NaivePacket& packet, std::uint32_t c);

  // Chooses one requester per replication. `count` inputs share the contended link.
  std::array<int, kReplications> pick(const std::array<std::vector<std::uint32_t>, kReplications>& requests,
                                      std::uint32_t count, Rng& rng);

  // Stage i moves packets from the links before it to the links behind it.
  void cross_stage(std::uint32_t i);

  using Flags = std::array<std::vector<bool>, kReplications>;
  // What a switch does in a slot.
  struct Turn {
    Flags done;            // [port] has sent or must not send
    Flags first;           // [port * outputs + output] a packet of a higher class waits
    Flags present, moved;  // [port * queues + queue] of the class that is served
    std::set<std::pair<std::uint32_t, std::uint32_t>> used;  // (link, replication)
  };
  // Removes packets that moved, applies the rule for blocked heads, and notes what the lower classes must
  // wait for. The queue is number `q` of the switch, at its port `u`.
  void finish(std::uint32_t i, std::uint32_t at, std::uint32_t u, std::uint32_t q, std::uint32_t c, Rng& rng,
              Turn& turn);
  void redraw(std::uint32_t i, std::uint32_t at, std::uint32_t c, Rng& rng,
              const std::vector<std::uint32_t>& replications);

  // If packets queue behind the switches: each link behind the last stage sends one packet to its output.
  void drain(std::uint32_t at);

  // If packets queue before the switches: arrivals enter the queues of the first stage.
  void enter(std::uint32_t at);
  const NaivePacket* head(std::uint32_t replication, std::uint32_t link, std::uint32_t at, std::uint32_t c);
  std::array<std::uint32_t, kReplications> draw_digit(Rng& rng);
  void set_digit(std::uint32_t& destination, std::uint32_t stage, std::uint32_t digit) const;
  void generate();

  using Key = std::array<std::uint32_t, 3>;  // link, position, class
  Design design_;
  Traffic traffic_;
  Banyan net_;
  bool behind_;
  std::uint64_t slot_ = 0;
  std::uint64_t seed_ = 0, next_stream_ = 0;
  std::vector<Rng> source_rng_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Rng> switch_rng_;
  std::array<std::map<Key, Queue>, kReplications> queues_;
  std::array<std::map<Key, std::uint32_t>, kReplications>
      full_before_;  // packets at the slot's start plus those that arrived since
  std::array<std::map<std::uint32_t, Arrival>, kReplications>
      waiting_;  // [replication]: position -> arrival at the network input
  std::array<std::map<std::pair<std::uint32_t, std::uint32_t>, Count>, kReplications> counts_;
};

}  // namespace headway::slotted
