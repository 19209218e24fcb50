// SPDX-License-Identifier: Apache-2.0
#include "headway/traffic/fixed_destinations.h"

#include <utility>

namespace headway {
namespace {

class FixedDestinations final : public Destinations {
 public:
  explicit FixedDestinations(std::vector<NodeId> destination_of)
      : destination_of_(std::move(destination_of)) {}
  NodeId next(NodeId source, Rng&) const override {
    const NodeId destination = destination_of_[source];
    return destination == source ? kNone : destination;
  }

 private:
  std::vector<NodeId> destination_of_;  // [node]
};

}  // namespace

std::unique_ptr<Destinations> fixed_destinations(std::vector<NodeId> destination_of) {
  return std::make_unique<FixedDestinations>(std::move(destination_of));
}

}  // namespace headway
