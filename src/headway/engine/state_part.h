// SPDX-License-Identifier: Apache-2.0
// The parts of a state that skip.h compares, so that tests can leave some out.
#pragma once

#include <cstdint>

namespace headway {

enum class StatePart : std::uint8_t {
  message,   // of a packet
  packet,    // when it came to its queue, its length and number
  injected,  // when it has left its node
  room,
  length,  // of a queue
  request,
  pointer,  // of an output
  pause,
  waiting,  // what waits for admission
  event_tick,
  event,  // its kind and place
  count,
};

}  // namespace headway
