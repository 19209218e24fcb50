// SPDX-License-Identifier: Apache-2.0
// A trace as traffic: messages in order of time, limited to a window, compressed, and rounded to ticks
// (docs/modelling.md, "Traces"). Records are read ahead only as far as sorting requires. Memory contains a
// chunk of the file, the records within the reorder tolerance, and the requests before their completion, so
// it does not grow with the file.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <queue>
#include <utility>

#include "headway/base/units.h"
#include "headway/trace/endpoints.h"
#include "headway/trace/format.h"
#include "headway/traffic/message_list.h"

namespace headway {

// The selected records of a trace, and the rules that map them to messages.
struct TraceWindow : TraceOpening {
  std::shared_ptr<const TraceFormat> format;
  std::uint64_t most_records = UINT64_MAX;  // throws EnoughRead beyond this number of records
  TraceTime reorder = 0;                    // tolerance for out-of-order records
  TraceTime begin = 0;
  TraceTime end = INT64_MAX;
  EndpointRules rules;
};

// One pass over the messages of a window, in order of time. The window must outlive it.
class TracePass {
 public:
  explicit TracePass(const TraceWindow& window);
  std::optional<PlacedMessage> next();
  const TraceReader& reader() const { return *reader_; }
  TraceTime latest() const { return latest_; }  // latest time of the records read so far; -1 before the first

 private:
  struct Pending {
    PlacedMessage message;
    std::uint64_t record;
    std::size_t part;  // of the record
    // inverted, because a priority queue returns the largest element first
    bool operator<(const Pending& other) const {
      if (message.time != other.message.time) return message.time > other.message.time;
      if (record != other.record) return record > other.record;
      return part > other.part;
    }
  };
  void read_ahead();

  const TraceWindow& window_;
  std::unique_ptr<TraceReader> reader_;
  Endpoints endpoints_;
  std::priority_queue<Pending> pending_;
  TraceTime latest_ = -1;
  bool ended_ = false;
};

// Tick at which a message of trace time t is generated: start + floor((t - begin) / (compression * tick)).
class TraceClock {
 public:
  // Throws std::overflow_error if compression and tick differ too much in magnitude.
  TraceClock(TraceTime begin, const Rational& compression, const Duration& tick, Tick start)
      : begin_(begin), ticks_per_ns_(Rational(1) / (compression * tick.ns)), start_(start) {}
  Tick at(TraceTime time) const;

 private:
  TraceTime begin_;
  Rational ticks_per_ns_;
  Tick start_;
};

// The messages of a window at their ticks.
class Replay final : public MessageList {
 public:
  Replay(TraceWindow window, const TraceClock& clock) : window_(std::move(window)), clock_(clock) {}
  std::unique_ptr<MessageCursor> open() const override;

 private:
  TraceWindow window_;
  TraceClock clock_;
};

// The traffic of a window before compression. Reads the whole window.
struct TraceLoad {
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
  std::uint64_t hottest_bytes = 0;  // into or out of one node
  TraceTime length = 0;  // length of the window, up to its end, or to the last record if it has no end
};
TraceLoad load_of(const TraceWindow& window);

}  // namespace headway
