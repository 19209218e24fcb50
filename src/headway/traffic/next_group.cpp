// SPDX-License-Identifier: Apache-2.0
// Every node of a group of consecutive nodes sends to random nodes of a group some groups further on. All
// packets of a group have one other group as their destination, so minimal routing has only the links between
// the two: the worst case of dragonflies, and of HyperX if a group is a switch. Source: Kim, Dally, Scott and
// Abts, ISCA 2008, section 4.2; Ahn et al., SC 2009, section 4.
#include <string>

#include "headway/traffic/pattern.h"

namespace headway {
namespace {

class NextGroupDestinations final : public Destinations {
 public:
  NextGroupDestinations(std::uint32_t nodes, std::uint32_t size, std::uint32_t by)
      : size_(size), by_(by), groups_(nodes / size) {}
  NodeId next(NodeId source, Rng& rng) const override { return first_to(source) + rng.below(size_); }
  void shares(NodeId source, const Visit& visit) const override {
    for (std::uint32_t i = 0; i < size_; ++i) visit(first_to(source) + i, 1.0 / size_);
  }
  void visit_components(NodeId source, Components& components) const override {
    components.spread({.first = first_to(source), .count = size_}, 1);
  }

 private:
  NodeId first_to(NodeId source) const { return (source / size_ + by_) % groups_ * size_; }

  std::uint32_t size_, by_, groups_;
};

class NextGroup final : public Pattern {
 public:
  void describe(Parameters& parameters) override {
    parameters.field(
        {.name = "size",
         .help = "nodes of a group; of a dragonfly, p * a of its topology; with 1, the pattern is a shift "
                 "permutation: node i sends to node i + by",
         .bounds = Bounds::from(1, 1 << 24)},
        size_);
    parameters.field({.name = "by",
                      .help = "number of groups from a node's group to that of its destinations",
                      .bounds = Bounds::from(1, 1 << 24)},
                     by_);
  }
  void check(const NodeSpace& space, Mistakes& mistakes) const override {
    const std::uint32_t nodes = space.nodes;
    if (nodes % size_ != 0)
      mistakes.add(
          "size",
          std::to_string(nodes) + " nodes are not a whole number of groups of " + std::to_string(size_),
          "a divisor of " + std::to_string(nodes));
    else if (by_ % (nodes / size_) == 0)
      mistakes.add("by",
                   "after " + std::to_string(by_) + " of " + std::to_string(nodes / size_) +
                       " groups comes the group itself",
                   "use no multiple of the number of groups");
  }
  std::unique_ptr<Destinations> build(const NodeSpace& space, std::uint64_t) const override {
    const auto groups = static_cast<std::int64_t>(space.nodes) / size_;
    return std::make_unique<NextGroupDestinations>(space.nodes, static_cast<std::uint32_t>(size_),
                                                   static_cast<std::uint32_t>(by_ % groups));
  }

 private:
  std::int64_t size_ = 1;
  std::int64_t by_ = 1;
};

}  // namespace

Entry<Pattern> next_group() {
  return {"next-group", "every group of nodes sends to random nodes of the next group",
          "Kim et al., ISCA 2008, section 4.2", make_entry<Pattern, NextGroup>};
}

}  // namespace headway
