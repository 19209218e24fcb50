// SPDX-License-Identifier: Apache-2.0
// Complement: node i sends to N-1-i (all bits inverted, for powers of two), so that every pair crosses the
// last stage of a tree. Source: Gilabert et al., "On the influence of the selection function on the
// performance of fat-trees", Euro-Par 2006, section 5.1.
#include "headway/traffic/pattern.h"

namespace headway {
namespace {

class ComplementDestinations final : public Destinations {
 public:
  explicit ComplementDestinations(std::uint32_t nodes) : nodes_(nodes) {}
  NodeId next(NodeId source, Rng&) const override {
    const NodeId destination = nodes_ - 1 - source;
    return destination == source ? kNone : destination;  // the middle node of an odd number of nodes
  }

 private:
  std::uint32_t nodes_;
};

class Complement final : public Pattern {
 public:
  void describe(Parameters&) override {}
  void check(const NodeSpace&, Mistakes&) const override {}
  std::unique_ptr<Destinations> build(const NodeSpace& space, std::uint64_t) const override {
    const std::uint32_t nodes = space.nodes;
    return std::make_unique<ComplementDestinations>(nodes);
  }
};

}  // namespace

Entry<Pattern> complement() {
  return {"complement", "node i sends to node N-1-i",
          "Gilabert et al. (selection functions), Euro-Par 2006, section 5.1",
          make_entry<Pattern, Complement>};
}

}  // namespace headway
