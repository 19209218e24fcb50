// SPDX-License-Identifier: Apache-2.0
#include "headway/compile/cut_off.h"

#include <cmath>
#include <utility>

namespace headway {
namespace {

// Makes sums of equal shares equal, whatever the order of summation. Choice: a source to whose destinations
// less than a millionth of its traffic has a path sends nothing, because `next` would draw too often.
double rounded(double share) {
  constexpr double kSteps = 1e12, kLeast = 1e-6;
  return share < kLeast ? 0 : std::round(share * kSteps) / kSteps;
}

class CursorOfMessagesLeft final : public MessageCursor {
 public:
  CursorOfMessagesLeft(std::unique_ptr<MessageCursor> cursor, std::shared_ptr<const PathsLeft> paths)
      : cursor_(std::move(cursor)), paths_(std::move(paths)) {}

  std::optional<TimedMessage> next() override {
    for (;;) {
      std::optional<TimedMessage> message = cursor_->next();
      if (!message || paths_->has_path(message->source, message->destination)) return message;
      ++left_out_;
    }
  }
  std::uint64_t skipped_records() const override { return cursor_->skipped_records() + left_out_; }

 private:
  std::unique_ptr<MessageCursor> cursor_;
  std::shared_ptr<const PathsLeft> paths_;
  std::uint64_t left_out_ = 0;
};

}  // namespace

DestinationsLeft::DestinationsLeft(std::shared_ptr<const Destinations> pattern,
                                   std::shared_ptr<const PathsLeft> paths, std::span<const NodeId> sources)
    : pattern_(std::move(pattern)), paths_(std::move(paths)), left_(paths_->nodes()) {
  for (const NodeId source : sources) {
    double left = 0, all = 0;
    pattern_->shares(source, [&](NodeId destination, double share) {
      all += share;
      if (paths_->has_path(source, destination)) left += share;
    });
    left_[source] = all > 0 ? rounded(left / all) : 0;
  }
}

NodeId DestinationsLeft::next(NodeId source, Rng& rng) const {
  if (left_[source] == 0) return kNone;
  for (;;) {  // draws again until the destination is reachable
    const NodeId destination = pattern_->next(source, rng);
    if (destination == kNone || paths_->has_path(source, destination)) return destination;
  }
}

void DestinationsLeft::shares(NodeId source, const Visit& visit) const {
  if (left_[source] == 0) return;
  pattern_->shares(source, [&](NodeId destination, double share) {
    if (paths_->has_path(source, destination)) visit(destination, share / left_[source]);
  });
}

// Loads must be above 0. A source that never sends keeps its load, which nothing uses.
double DestinationsLeft::load_of(NodeId source) const {
  return pattern_->load_of(source) * (left_[source] > 0 ? left_[source] : 1);
}

MessagesLeft::MessagesLeft(std::shared_ptr<const MessageList> list, std::shared_ptr<const PathsLeft> paths)
    : list_(std::move(list)), paths_(std::move(paths)) {}

std::unique_ptr<MessageCursor> MessagesLeft::open() const {
  return std::make_unique<CursorOfMessagesLeft>(list_->open(), paths_);
}

}  // namespace headway
