// SPDX-License-Identifier: Apache-2.0
// The synchronous kernel: all queues of a slotted multistage network advance by one network cycle per step,
// in 64 replications at once (replications.h), by word operations over flat arrays and without allocation.
//
// A packet is the digits of its destination that are still needed, a word per bit. If destinations do not
// last (Rules::loses_destinations), it also carries the slot in which it entered, so that its delay is known
// when it is delivered. Otherwise Little's law gives the same delays from the packets present, for less.
//
// One slot: the hops move packets from the last hop to the first, so that a place freed downstream can be
// filled in the same slot. Then the sources generate packets and hop 0 accepts them. In a switch the classes
// are served from the highest; contention for a link is decided uniformly at random (paper, section II).
#pragma once

#include <cstdint>
#include <vector>

#include "headway/base/rng.h"
#include "headway/slotted/plan.h"
#include "headway/slotted/replications.h"

namespace headway::slotted {

class Stages {
 public:
  static constexpr std::uint64_t kManySlots = 1 << 20;

  // `slots`: the most that it will advance.
  Stages(const Plan& plan, std::uint64_t seed, std::uint64_t slots = kManySlots);

  void step();
  void verify() const;  // throws InvariantError

  // Remaining destination digits of the packets of a queue, head first (for tests and dumps).
  std::vector<std::uint32_t> contents(std::uint32_t level, std::uint32_t queue, std::uint32_t priority,
                                      std::uint32_t replication) const;

  struct Counters {
    // [zone * classes + class]; packets that are redrawn or discarded count as lost for their zone
    std::vector<ReplicationCounter> entered, left, lost;
    std::vector<ReplicationCounter> delay;             // sum over the delivered packets, if they are stamped
    std::vector<ReplicationCounter> offered, blocked;  // [class]
  };
  const Counters& counters() const { return counters_; }

 private:
  template <std::uint32_t kIn, std::uint32_t kOut, bool kDivided>
  class Crossing;
  template <std::uint32_t kIn, std::uint32_t kOut>
  void advance(std::uint32_t h);
  template <std::uint32_t kIn, std::uint32_t kOut, bool kDivided>
  void cross_all(std::uint32_t h);
  void generate();
  void clear_sources();
  void abandon(std::uint32_t h, std::uint32_t sw, std::uint32_t queue, std::uint32_t priority,
               Replications waiting);
  void count_by_zone(std::vector<ReplicationCounter>& counter, std::uint32_t priority,
                     Replications replications, const Replications* digits, std::uint32_t consumed,
                     std::uint32_t shared) const;

  // The queues of a level are shift registers: place 0 is the head, and the places in use come first.
  struct Store {
    std::uint32_t digit_planes = 0;
    std::uint32_t planes = 0;                // the digits and then the stamp
    std::uint32_t per_link = 1;              // queues of an input link
    std::uint32_t places = 0;                // per queue
    std::vector<std::uint32_t> first_place;  // [class], and one past the last
    std::vector<Replications> used;          // [queue * places + place]: holds a packet
    std::vector<Replications>
        digits;  // [(queue * places + place) * planes + bit]: its digits and stamp; 0 where not in use
    // Places that count as occupied for the test of room. If freed places cannot be reused in the same slot,
    // it starts every slot as a copy of `used` and only grows. Otherwise it is empty and `used` is tested.
    std::vector<Replications> taken;

    std::uint32_t place(std::uint32_t queue, std::uint32_t priority) const {
      return queue * places + first_place[priority];
    }
    std::uint32_t depth(std::uint32_t priority) const {
      return first_place[priority + 1] - first_place[priority];
    }
    Replications* tag(std::uint32_t at) { return digits.data() + std::size_t{at} * planes; }
    const Replications* tag(std::uint32_t at) const { return digits.data() + std::size_t{at} * planes; }
    Replications room(std::uint32_t queue, std::uint32_t priority) const {
      const std::uint32_t last = queue * places + first_place[priority + 1] - 1;
      return ~(taken.empty() ? used[last] : taken[last]);
    }
    void push(std::uint32_t queue, std::uint32_t priority, Replications replications,
              const Replications* payload);
    void pop(std::uint32_t queue, std::uint32_t priority, Replications replications);
  };

  const Plan& plan_;
  std::uint64_t slot_ = 0;
  std::uint32_t stamp_planes_ = 0;
  std::vector<Rng> source_rng_;               // [network input]
  std::vector<std::vector<Rng>> switch_rng_;  // [hop][switch]
  std::vector<Store> stores_;                 // [level]
  Counters counters_;
};

}  // namespace headway::slotted
