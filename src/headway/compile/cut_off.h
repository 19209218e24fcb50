// SPDX-License-Identifier: Apache-2.0
// Traffic without the messages between nodes that failed links have cut off from each other
// (docs/modelling.md, "Failures").
#pragma once

#include <memory>
#include <span>

#include "headway/routing/paths_left.h"
#include "headway/traffic/message_list.h"
#include "headway/traffic/pattern.h"

namespace headway {

// The destinations of a pattern that a source can reach, in the proportions of the pattern. The load of a
// source is reduced by the share of its unreachable destinations. Call the functions only for `sources`.
class DestinationsLeft final : public Destinations {
 public:
  DestinationsLeft(std::shared_ptr<const Destinations> pattern, std::shared_ptr<const PathsLeft> paths,
                   std::span<const NodeId> sources);

  NodeId next(NodeId source, Rng& rng) const override;
  void shares(NodeId source, const Visit& visit) const override;
  double load_of(NodeId source) const override;
  double share_left(NodeId source) const { return left_[source]; }

 private:
  std::shared_ptr<const Destinations> pattern_;
  std::shared_ptr<const PathsLeft> paths_;
  std::vector<double> left_;  // [node] share of its messages whose destination is reachable
};

// The messages of a list whose destination is reachable. The others count as skipped.
class MessagesLeft final : public MessageList {
 public:
  MessagesLeft(std::shared_ptr<const MessageList> list, std::shared_ptr<const PathsLeft> paths);
  std::unique_ptr<MessageCursor> open() const override;

 private:
  std::shared_ptr<const MessageList> list_;
  std::shared_ptr<const PathsLeft> paths_;
};

}  // namespace headway
