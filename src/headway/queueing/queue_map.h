// SPDX-License-Identifier: Apache-2.0
// The product of a static queueing scheme: a map from a key to a queue index at an input port (modelling.md).
//
// Credits are kept per queue, so the sender computes the queue a packet will enter at the next switch; for
// the `output` key it needs that switch's route (look-ahead).
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace headway {

enum class QueueKey : std::uint8_t {
  none,         // one queue
  output,       // local output port requested at this switch
  destination,  // destination node
  most_room,    // the sender picks the queue with most credits when it sends (EMPTIEST)
};

struct QueueMap {
  QueueKey key = QueueKey::none;
  std::uint32_t queues = 1;  // per input port
  std::vector<std::uint32_t>
      queue_of;  // [key value] -> queue, all below `queues`; empty for none and most_room

  static QueueMap single() { return {}; }
  static QueueMap most_room(std::uint32_t queues) { return {QueueKey::most_room, queues, {}}; }
  static QueueMap from(QueueKey key, std::uint32_t queues, std::uint32_t keys,
                       const std::function<std::uint32_t(std::uint32_t)>& map) {
    QueueMap result{key, queues, {}};
    for (std::uint32_t value = 0; value < keys; ++value) result.queue_of.push_back(map(value));
    return result;
  }
};

}  // namespace headway
