// SPDX-License-Identifier: Apache-2.0
// For patterns without randomness: one destination per source, from a table.
#pragma once

#include <utility>
#include <vector>

#include "headway/traffic/pattern.h"

namespace headway {

class FixedDestinations final : public Destinations {
 public:
  // [node]; a node that would send to itself does not send.
  explicit FixedDestinations(std::vector<NodeId> destination_of)
      : destination_of_(std::move(destination_of)) {}
  NodeId next(NodeId source, Rng&) const override {
    const NodeId destination = destination_of_[source];
    return destination == source ? kNone : destination;
  }

 private:
  std::vector<NodeId> destination_of_;
};

}  // namespace headway
