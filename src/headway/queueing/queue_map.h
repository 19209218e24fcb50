// SPDX-License-Identifier: Apache-2.0
// The result of a static queueing scheme: a map from a key to a queue index at an input port (modelling.md).
//
// Credits are kept per queue, so the sender computes the queue a packet will enter at the next switch; for
// the `output` key it needs that switch's route (look-ahead). A group of packets can have several queues, its
// virtual channels. The upstream port chooses one of them when it sends.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <vector>

#include "headway/base/ids.h"

namespace headway {

// The limit of the engine's integers.
inline constexpr std::uint32_t kMostQueuesPerPort = 0xffff;

enum class QueueKey : std::uint8_t {
  none,         // all packets are in one group
  output,       // local output port requested at this switch
  destination,  // destination node
  table,        // any combination of input port, output port, source and destination
};

// How a packet chooses a channel of its group among those with room.
enum class ChannelChoice : std::uint8_t {
  first_room,  // the lowest number
  most_room,   // the one with the most credits (EMPTIEST)
};

struct QueueMap {
  QueueKey key = QueueKey::none;
  std::uint32_t queues = 1;             // per input port
  std::vector<std::uint32_t> queue_of;  // [key value] -> first queue of its group; empty for none
  // For a table, the key value is the sum of the entries of these vectors. A vector is empty if the table
  // does not depend on its coordinate.
  std::vector<std::uint32_t> at_input = {};        // [switch port of the graph]
  std::vector<std::uint32_t> at_output = {};       // [output port of its switch]
  std::vector<std::uint32_t> of_source = {};       // [node]
  std::vector<std::uint32_t> of_destination = {};  // [node]
  std::uint32_t channels = 1;                      // number of consecutive queues per group
  ChannelChoice choice = ChannelChoice::first_room;

  // The first queue of the group of a packet at an input port of a switch.
  std::uint32_t at(PortId input, std::uint32_t output, NodeId source, NodeId destination) const {
    switch (key) {
      case QueueKey::none:
        return 0;
      case QueueKey::output:
        return queue_of[output];
      case QueueKey::destination:
        return queue_of[destination];
      case QueueKey::table:
        return of_table(input, output, source, destination);
    }
    return 0;
  }
  std::uint32_t of_table(PortId input, std::uint32_t output, NodeId source, NodeId destination) const {
    const auto part = [](const std::vector<std::uint32_t>& of, std::uint32_t value) {
      return of.empty() ? 0 : std::size_t{of[value]};
    };
    return queue_of[part(at_input, input) + part(at_output, output) + part(of_source, source) +
                    part(of_destination, destination)];
  }
  // Returns true if the queue depends on the output that a packet requests, which must be known on arrival.
  bool uses_output() const { return key == QueueKey::output || !at_output.empty(); }
  // Returns true if packets share a queue only if they request the same output, or have the same destination.
  bool separates_all() const {
    return (key == QueueKey::output || key == QueueKey::destination) &&
           std::set(queue_of.begin(), queue_of.end()).size() == queue_of.size();
  }
  std::uint64_t bytes() const {
    return sizeof(std::uint32_t) *
           (queue_of.size() + at_input.size() + at_output.size() + of_source.size() + of_destination.size());
  }

  static QueueMap single() { return {}; }
  static QueueMap most_room(std::uint32_t queues) {
    return single().with_channels(queues, ChannelChoice::most_room);
  }
  static QueueMap from(QueueKey key, std::uint32_t queues, std::uint32_t keys,
                       const std::function<std::uint32_t(std::uint32_t)>& map) {
    QueueMap result{key, queues, {}};
    for (std::uint32_t value = 0; value < keys; ++value) result.queue_of.push_back(map(value));
    return result;
  }

  // Every queue of this map becomes `count` channels.
  QueueMap with_channels(std::uint32_t count, ChannelChoice how) const {
    QueueMap result = *this;
    result.queues *= count;
    result.channels *= count;
    result.choice = how;
    for (std::uint32_t& queue : result.queue_of) queue *= count;
    return result;
  }
};

}  // namespace headway
