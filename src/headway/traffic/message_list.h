// SPDX-License-Identifier: Apache-2.0
// The second kind of traffic beside flows: a list of messages, each with its time, its source and its
// destination, as a trace gives it. Read one after the other, so that the list may be longer than memory.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

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
  // The messages in order, their ticks never decreasing; none after the last.
  virtual std::optional<TimedMessage> next() = 0;
  virtual std::uint64_t skipped_records() const { return 0; }  // damaged ones, so far
};

// Immutable and shared by threads; every pass sees the same messages.
class MessageList {
 public:
  virtual ~MessageList() = default;
  virtual std::unique_ptr<MessageCursor> open() const = 0;
};

}  // namespace headway
