// SPDX-License-Identifier: Apache-2.0
// Draws a node of a set, all with equal probability, and never the source itself unless it may send to
// itself. One random number per draw.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "headway/base/ids.h"
#include "headway/base/rng.h"
#include "headway/traffic/pattern.h"

namespace headway {

class EvenDraw {
 public:
  // Draws from all nodes.
  EvenDraw(std::uint32_t nodes, bool include_self) : count_(nodes), include_self_(include_self) {}
  // Draws from these nodes, in any order.
  EvenDraw(std::uint32_t nodes, std::vector<NodeId> set, bool include_self)
      : count_(static_cast<std::uint32_t>(set.size())),
        include_self_(include_self),
        set_(std::move(set)),
        place_of_(nodes, kNone) {
    std::ranges::sort(set_);
    for (std::uint32_t place = 0; place < count_; ++place) place_of_[set_[place]] = place;
  }

  // kNone if the source can send to no node.
  NodeId next(NodeId source, Rng& rng) const {
    const std::uint32_t place = include_self_ ? kNone : place_of(source);
    if (place == kNone) return node_at(rng.below(count_));
    if (count_ == 1) return kNone;
    const std::uint32_t other = rng.below(count_ - 1);
    return node_at(other < place ? other : other + 1);
  }
  // Calls visit(node, share) for every node that the source can send to.
  template <class Visit>
  void shares(NodeId source, Visit&& visit) const {
    const std::uint32_t place = include_self_ ? kNone : place_of(source);
    const std::uint32_t others = place == kNone ? count_ : count_ - 1;
    for (std::uint32_t i = 0; i < count_; ++i)
      if (i != place) visit(node_at(i), 1.0 / others);
  }
  // Destinations::visit_components, multiplied by `factor`.
  void visit_components(NodeId source, double factor, Destinations::Components& components) const {
    const bool without_source = !include_self_ && place_of(source) != kNone;
    if (without_source && count_ == 1) return;
    const double others = without_source ? count_ - 1 : count_;
    components.spread({.count = count_, .nodes = set_}, factor * count_ / others);
    if (without_source) components.one(source, -factor / others);
  }

 private:
  NodeId node_at(std::uint32_t place) const { return set_.empty() ? place : set_[place]; }
  std::uint32_t place_of(NodeId node) const { return set_.empty() ? node : place_of_[node]; }

  std::uint32_t count_;
  bool include_self_;
  std::vector<NodeId> set_;              // empty: all nodes
  std::vector<std::uint32_t> place_of_;  // [node] in the set, or kNone
};

class EvenDestinations final : public Destinations {
 public:
  explicit EvenDestinations(EvenDraw draw) : draw_(std::move(draw)) {}
  NodeId next(NodeId source, Rng& rng) const override { return draw_.next(source, rng); }
  void shares(NodeId source, const Visit& visit) const override { draw_.shares(source, visit); }
  void visit_components(NodeId source, Components& components) const override {
    draw_.visit_components(source, 1, components);
  }

 private:
  EvenDraw draw_;
};

}  // namespace headway
