// SPDX-License-Identifier: Apache-2.0
// The result of a static queueing scheme: a map from a key to a queue index at an input port (modelling.md).
//
// Credits are kept per queue, so the sender computes the queue a packet will enter at the next switch; for
// the `output` key it needs that switch's route (look-ahead). A group of packets can have several queues, its
// virtual channels. The upstream port chooses one of them when it sends.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace headway {

enum class QueueKey : std::uint8_t {
  none,         // all packets are in one group
  output,       // local output port requested at this switch
  destination,  // destination node
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
  std::uint32_t channels = 1;           // number of consecutive queues per group
  ChannelChoice choice = ChannelChoice::first_room;

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
