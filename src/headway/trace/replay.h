// SPDX-License-Identifier: Apache-2.0
// A trace as traffic: its records are read ahead only as far as it takes to put their messages in order of
// time, cut to a window, compressed, and rounded to ticks (docs/modelling.md, "Traces"). Memory holds a chunk
// of the file, the records that may be late, and the requests that wait for their completion: nothing grows
// with the file.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "headway/base/units.h"
#include "headway/trace/endpoints.h"
#include "headway/trace/format.h"
#include "headway/traffic/message_list.h"

namespace headway {

// Which records of a trace, and what they mean.
struct TraceWindow {
  std::shared_ptr<const TraceFormat> format;
  std::uint64_t seed = 1;
  bool skip_bad = false;
  CancelFlag cancelled = nullptr;           // polled while records are read
  std::uint64_t most_records = UINT64_MAX;  // EnoughRead where more are needed,
  std::uint64_t most_bytes = UINT64_MAX;    // or more bytes of a file
  TraceTime reorder = 0;                    // how much earlier than the latest before it a record may be
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
  TraceTime latest() const { return latest_; }  // time of a record read so far; -1 before the first

 private:
  struct Pending {
    PlacedMessage message;
    std::uint64_t record;
    std::size_t part;  // of the record
    // the order in which a priority queue gives the latest first, turned round
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

// When a message of trace time t is generated: start + floor((t - begin) / (compression * tick)).
class TraceClock {
 public:
  // Throws std::overflow_error if compression and tick are too far apart.
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

// What a window puts on a network before any compression. Reads all of it.
struct TraceLoad {
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
  std::uint64_t hottest_bytes = 0;  // into or out of one node
  TraceTime length = 0;             // of the window: to its end, or to the last record if it has none
};
TraceLoad load_of(const TraceWindow& window);

}  // namespace headway
