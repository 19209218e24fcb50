// SPDX-License-Identifier: Apache-2.0
// The second kind of traffic besides flows: a list of messages with time, source and destination, as in a
// trace. Messages are read one after the other, so that the list can be larger than memory.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "headway/base/ids.h"

namespace headway {

struct TimedMessage {
  Tick tick = 0;
  NodeId source = 0;
  NodeId destination = 0;
  std::uint64_t bytes = 0;  // at least 1
  friend bool operator==(const TimedMessage&, const TimedMessage&) = default;
};

// One pass over a list. One virtual call per message.
class MessageCursor {
 public:
  virtual ~MessageCursor() = default;
  // The next message, in order of non-decreasing ticks; nullopt after the last one.
  virtual std::optional<TimedMessage> next() = 0;
  virtual std::uint64_t skipped_records() const { return 0; }  // records that could not be read so far
};

// Immutable and shared between threads; every pass returns the same messages.
class MessageList {
 public:
  virtual ~MessageList() = default;
  virtual std::unique_ptr<MessageCursor> open() const = 0;
};

}  // namespace headway
