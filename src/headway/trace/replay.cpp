// SPDX-License-Identifier: Apache-2.0
#include "headway/trace/replay.h"

#include <fmt/format.h>

#include <algorithm>

#include "headway/base/wide.h"
#include "headway/config/limits.h"
#include "headway/trace/byte_stream.h"

namespace headway {

TracePass::TracePass(const TraceWindow& window)
    : window_(window), reader_(window.format->open(window)), endpoints_(window.rules, window.seed) {}

std::optional<PlacedMessage> TracePass::next() {
  // later records have times of at least latest_ - reorder, and come after pending messages with an equal
  // time
  while (!ended_ && (pending_.empty() || pending_.top().message.time > latest_ - window_.reorder))
    read_ahead();
  if (pending_.empty()) return std::nullopt;
  const PlacedMessage message = pending_.top().message;
  pending_.pop();
  return message;
}

void TracePass::read_ahead() {
  throw_if_set(window_.cancelled);
  if (reader_->records() >= window_.most_records) throw EnoughRead{};
  const std::optional<TraceRecord> record = reader_->next();
  if (!record) {
    ended_ = true;
    return;
  }
  if (record->time < latest_ - window_.reorder) {
    reader_->refuse(fmt::format(
        "it is {} ns earlier than a previous record; set reorder = \"{} ns\" to re-sort such records",
        (latest_ - record->time + kNanosecond - 1) / kNanosecond,
        (latest_ - record->time + kNanosecond - 1) / kNanosecond));
    return;
  }
  latest_ = std::max(latest_, record->time);
  if (latest_ - window_.reorder >= window_.end) ended_ = true;
  PlacedMessages placed;
  if (const std::string why = endpoints_.place(*record, placed); !why.empty()) return reader_->refuse(why);
  // a late record with a time before the first record belongs to a window that starts at the beginning
  const bool early = record->time < window_.begin && window_.begin > 0;
  if (early || record->time >= window_.end) return;
  for (std::size_t part = 0; part < placed.count; ++part)
    pending_.push({placed.messages[part], record->number, part});
}

Tick TraceClock::at(TraceTime time) const {
  const SignedWide since = std::max(SignedWide{time} - begin_, SignedWide{0});
  const SignedWide ticks =
      since * ticks_per_ns_.numerator() / (SignedWide{ticks_per_ns_.denominator()} * kNanosecond);
  return static_cast<Tick>(std::min(ticks + start_, SignedWide{limits::kTickAfterRuns}));
}

std::unique_ptr<MessageCursor> Replay::open() const {
  class Cursor final : public MessageCursor {
   public:
    explicit Cursor(const Replay& replay) : clock_(replay.clock_), pass_(replay.window_) {}
    std::optional<TimedMessage> next() override {
      const auto placed = pass_.next();
      if (!placed) return std::nullopt;
      return TimedMessage{clock_.at(placed->time), placed->source, placed->destination, placed->bytes};
    }
    std::uint64_t skipped_records() const override { return pass_.reader().skipped(); }

   private:
    const TraceClock& clock_;
    TracePass pass_;
  };
  return std::make_unique<Cursor>(*this);
}

TraceLoad load_of(const TraceWindow& window) {
  TraceLoad load;
  std::vector<std::uint64_t> in(window.rules.nodes), out(window.rules.nodes);
  TracePass pass(window);
  while (const auto message = pass.next()) {
    ++load.messages;
    load.bytes += message->bytes;
    load.hottest_bytes = std::max({load.hottest_bytes, in[message->destination] += message->bytes,
                                   out[message->source] += message->bytes});
  }
  load.length = (window.end == INT64_MAX ? pass.latest() : window.end) - window.begin;
  return load;
}

}  // namespace headway
