// SPDX-License-Identifier: Apache-2.0
// DBBM without sharing: a queue of a port contains packets for one destination at a time. A packet that finds
// no free queue waits in the port's overflow queue. A destination can use any queue of its set. Replacement
// assigns the queue of another destination to that of an arriving packet. Restoration moves a destination out
// of the overflow queue when one of the queues of its set is free. Source: Nachiondo et al., "Cost /
// performance trade-offs and fairness evaluation of queue mapping policies", Euro-Par 2005, section 4, which
// names these functions but does not define them; docs/modelling.md, "Overflow", defines the rules.
//
// Packets stay in order, because all packets for a destination at a port are in one queue, either its own
// queue or the overflow queue. They move together and in order, and arriving packets join the same queue.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "headway/base/ids.h"
#include "headway/congestion/rules.h"

namespace headway {

struct OverflowCounts {
  std::uint64_t overflows = 0;     // arrivals that joined the overflow queue
  std::uint64_t replacements = 0;  // of the owner of a queue
  std::uint64_t restorations = 0;
  std::uint64_t moves = 0;  // packets, by replacement and restoration

  void add(const OverflowCounts& other) {
    overflows += other.overflows;
    replacements += other.replacements;
    restorations += other.restorations;
    moves += other.moves;
  }
};

class Overflow {
 public:
  // The queues of a port: packets arrive in the first, which is empty once the port is settled.
  static constexpr std::uint32_t kArrival = 0;
  static constexpr std::uint32_t kOverflow = 1;
  static constexpr std::uint32_t kFirst = 2;  // first queue that a destination can own

  // The state of all ports, which all parts of a run share. Only the part that has a port writes what belongs
  // to it.
  class Tables {
   public:
    Tables(const OverflowRules& rules, std::uint32_t ports);

    static std::uint64_t bytes(const OverflowRules& rules, std::uint64_t ports, std::uint64_t nodes);

   private:
    friend class Overflow;
    struct Owned {
      NodeId owner = kNone;
      std::uint64_t since = 0;     // order in which queues got their owners
      std::uint64_t received = 0;  // order in which packets joined them
    };
    struct Port {
      std::deque<NodeId> overflow;  // destinations of the packets in the overflow queue
      std::uint64_t clock = 0;      // orders the events at the port
    };

    OverflowRules rules_;
    std::vector<Port> ports_;                // [port]
    std::vector<Owned> owned_;               // [port * rules.queues + queue]
    std::vector<std::uint32_t> overflowed_;  // [port * nodes + destination] packets in the overflow queue
  };

  // A part of a run has its own counts. The tables must outlive it.
  explicit Overflow(Tables& tables);
  Overflow(const Overflow&) = delete;
  Overflow& operator=(const Overflow&) = delete;

  static std::uint32_t queues(const OverflowRules& rules) { return kFirst + rules.queues; }

  // Updates a port after packets have arrived or left; packets leave only from heads.
  //   queues.length(q), queues.destination(q) of its head; queues.move(from, to): the head of `from` joins
  //   the tail of `to`, which can be the same queue.
  template <class Queues>
  void settle(PortId port, Queues&& queues);

  OverflowCounts& counts() { return counts_; }
  const OverflowCounts& counts() const { return counts_; }
  // For checks: the owner of a queue (kNone: none), and the content of the overflow queue, first to last.
  NodeId owner(PortId port, std::uint32_t queue) const { return owned(port, queue).owner; }
  const std::deque<NodeId>& overflow(PortId port) const { return ports_[port].overflow; }

 private:
  using Owned = Tables::Owned;
  using Port = Tables::Port;
  struct Set {
    std::uint32_t first;  // queue
    std::uint32_t end;
  };

  Set set_of(NodeId destination) const {
    const std::uint32_t first = kFirst + rules_.set_of[destination] * rules_.ways;
    return {first, first + rules_.ways};
  }
  Owned& owned(PortId port, std::uint32_t queue) {
    return owned_[std::size_t{port} * rules_.queues + queue - kFirst];
  }
  const Owned& owned(PortId port, std::uint32_t queue) const {
    return owned_[std::size_t{port} * rules_.queues + queue - kFirst];
  }
  std::uint32_t& overflowed(PortId port, NodeId destination) {
    return overflowed_[std::size_t{port} * nodes_ + destination];
  }

  template <class Queues>
  void note_departures(PortId port, Queues& queues);
  template <class Queues>
  std::uint32_t queue_for(PortId port, NodeId destination, Queues& queues);
  template <class Queues>
  std::uint32_t victim(PortId port, const Set& set, Queues& queues) const;
  template <class Queues>
  void restore(PortId port, std::uint32_t queue, Queues& queues);
  NodeId to_restore(PortId port, std::uint32_t queue) const;
  void own(PortId port, std::uint32_t queue, NodeId destination);

  OverflowRules rules_;
  std::size_t nodes_;
  // Views of the tables.
  std::span<Port> ports_;
  std::span<Owned> owned_;
  std::span<std::uint32_t> overflowed_;
  OverflowCounts counts_;
};

template <class Queues>
void Overflow::settle(PortId port, Queues&& queues) {
  note_departures(port, queues);
  if (rules_.restoration != Restoration::none)
    for (std::uint32_t queue = kFirst; queue < kFirst + rules_.queues && !ports_[port].overflow.empty();
         ++queue)
      if (owned(port, queue).owner == kNone) restore(port, queue, queues);
  while (queues.length(kArrival) > 0) {
    const NodeId destination = queues.destination(kArrival);
    const std::uint32_t queue = queue_for(port, destination, queues);
    if (queue == kOverflow) {
      ports_[port].overflow.push_back(destination);
      ++overflowed(port, destination);
      ++counts_.overflows;
    } else {
      owned(port, queue).received = ++ports_[port].clock;
    }
    queues.move(kArrival, queue);
  }
}

// Removes the owners of empty queues, and the departed packets from the front of the overflow queue.
template <class Queues>
void Overflow::note_departures(PortId port, Queues& queues) {
  for (std::uint32_t queue = kFirst; queue < kFirst + rules_.queues; ++queue)
    if (queues.length(queue) == 0) owned(port, queue).owner = kNone;
  std::deque<NodeId>& overflow = ports_[port].overflow;
  for (; overflow.size() > queues.length(kOverflow); overflow.pop_front())
    --overflowed(port, overflow.front());
}

// The queue of an arrived packet: that of its destination; otherwise a queue of its set that is free or freed
// by replacement; otherwise the overflow queue.
template <class Queues>
std::uint32_t Overflow::queue_for(PortId port, NodeId destination, Queues& queues) {
  if (overflowed(port, destination) > 0) return kOverflow;
  const Set set = set_of(destination);
  std::uint32_t free = kNone;
  for (std::uint32_t queue = set.first; queue < set.end; ++queue) {
    if (owned(port, queue).owner == destination) return queue;
    if (free == kNone && owned(port, queue).owner == kNone) free = queue;
  }
  if (free == kNone && rules_.replacement != Replacement::none) {
    free = victim(port, set, queues);
    const NodeId owner = owned(port, free).owner;
    ++counts_.replacements;
    while (queues.length(free) > 0) {
      queues.move(free, kOverflow);
      ports_[port].overflow.push_back(owner);
      ++overflowed(port, owner);
      ++counts_.moves;
    }
  }
  if (free == kNone) return kOverflow;
  own(port, free, destination);
  return free;
}

template <class Queues>
std::uint32_t Overflow::victim(PortId port, const Set& set, Queues& queues) const {
  // value of keeping a queue with its owner
  const auto worth = [&](std::uint32_t queue) -> std::uint64_t {
    switch (rules_.replacement) {
      case Replacement::oldest:
        return owned(port, queue).since;
      case Replacement::shortest:
        return queues.length(queue);
      case Replacement::longest:
        return ~std::uint64_t{queues.length(queue)};
      default:
        return owned(port, queue).received;
    }
  };
  std::uint32_t best = set.first;
  for (std::uint32_t queue = set.first + 1; queue < set.end; ++queue) {
    const std::uint64_t here = worth(queue), least = worth(best);
    if (here < least || (here == least && owned(port, queue).received < owned(port, best).received))
      best = queue;
  }
  return best;
}

// If a destination in the overflow queue can use the queue, moves its packets there, in order, by rotating
// the overflow queue once.
template <class Queues>
void Overflow::restore(PortId port, std::uint32_t queue, Queues& queues) {
  const NodeId destination = to_restore(port, queue);
  if (destination == kNone) return;
  std::deque<NodeId>& overflow = ports_[port].overflow;
  for (std::size_t left = overflow.size(); left > 0; --left) {
    const NodeId next = overflow.front();
    overflow.pop_front();
    if (next != destination) overflow.push_back(next);
    queues.move(kOverflow, next == destination ? queue : kOverflow);
  }
  counts_.moves += overflowed(port, destination);
  ++counts_.restorations;
  overflowed(port, destination) = 0;
  own(port, queue, destination);
  owned(port, queue).received = ++ports_[port].clock;
}

}  // namespace headway
