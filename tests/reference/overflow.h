// SPDX-License-Identifier: Apache-2.0
// docs/modelling.md, "Overflow", written down a second time over lists of packets: who owns a queue is read
// off the packets in it, and what the overflow queue holds by looking through it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "headway/congestion/overflow.h"

namespace headway::reference {

class NaiveOverflow {
 public:
  explicit NaiveOverflow(const OverflowRules& rules) : rules_(rules) {}

  // The queues of a port: lists of packets, by `packets(queue)`, a std::deque.
  template <class Packets>
  void settle(PortId port, const Packets& packets) {
    for (std::uint32_t queue = 2; queue < 2 + rules_.queues; ++queue)
      if (packets(queue).empty() && rules_.restoration != Restoration::none) restore(port, queue, packets);
    for (auto& arrived = packets(0); !arrived.empty(); arrived.pop_front()) {
      const std::uint32_t queue = place(port, arrived.front().destination, packets);
      counts_.overflows += queue == 1 ? 1 : 0;
      packets(queue).push_back(arrived.front());
      received_[{port, queue}] = ++clock_;
    }
  }
  const OverflowCounts& counts() const { return counts_; }

 private:
  bool may_use(NodeId destination, std::uint32_t queue) const {
    return (queue - 2) / rules_.ways == rules_.set_of[destination];
  }

  template <class Packets>
  void restore(PortId port, std::uint32_t queue, const Packets& packets) {
    std::map<NodeId, std::size_t> count;
    for (const auto& packet : packets(1)) ++count[packet.destination];
    std::optional<NodeId> chosen;
    for (const auto& packet : packets(1)) {
      if (!may_use(packet.destination, queue)) continue;
      if (!chosen || (rules_.restoration == Restoration::most && count[packet.destination] > count[*chosen]))
        chosen = packet.destination;
    }
    if (!chosen) return;
    ++counts_.restorations;
    auto& overflow = packets(1);
    for (auto it = overflow.begin(); it != overflow.end();) {
      if (it->destination == *chosen) {
        packets(queue).push_back(*it);
        it = overflow.erase(it);
        ++counts_.moves;
      } else {
        ++it;
      }
    }
    since_[{port, queue}] = received_[{port, queue}] = ++clock_;
  }

  template <class Packets>
  std::uint32_t place(PortId port, NodeId destination, const Packets& packets) {
    for (const auto& packet : packets(1))
      if (packet.destination == destination) return 1;
    std::vector<std::uint32_t> set;
    for (std::uint32_t queue = 2; queue < 2 + rules_.queues; ++queue)
      if (may_use(destination, queue)) set.push_back(queue);
    for (const std::uint32_t queue : set)
      if (!packets(queue).empty() && packets(queue).front().destination == destination) return queue;
    for (const std::uint32_t queue : set)
      if (packets(queue).empty()) {
        since_[{port, queue}] = ++clock_;
        return queue;
      }
    if (rules_.replacement == Replacement::none) return 1;
    std::uint32_t taken = set.front();
    for (const std::uint32_t queue : set) {
      const auto value = [&](std::uint32_t q) {
        const auto length = static_cast<std::int64_t>(packets(q).size());
        const std::int64_t received = received_[{port, q}], since = since_[{port, q}];
        switch (rules_.replacement) {
          case Replacement::oldest:
            return std::pair{since, received};
          case Replacement::shortest:
            return std::pair{length, received};
          case Replacement::longest:
            return std::pair{-length, received};
          default:
            return std::pair{received, received};
        }
      };
      if (value(queue) < value(taken)) taken = queue;
    }
    ++counts_.replacements;
    counts_.moves += packets(taken).size();
    for (auto& packets_of = packets(taken); !packets_of.empty(); packets_of.pop_front())
      packets(1).push_back(packets_of.front());
    since_[{port, taken}] = ++clock_;
    return taken;
  }

  OverflowRules rules_;
  OverflowCounts counts_;
  std::int64_t clock_ = 0;
  std::map<std::pair<PortId, std::uint32_t>, std::int64_t> since_, received_;  // by port and queue
};

}  // namespace headway::reference
