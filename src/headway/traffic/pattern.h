// SPDX-License-Identifier: Apache-2.0
// The destination-pattern family: it chooses the destination of a source's next message, with one virtual
// call per message.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "headway/base/error.h"
#include "headway/base/ids.h"
#include "headway/base/rng.h"
#include "headway/config/parameters.h"
#include "headway/config/registry.h"
#include "headway/topology/topology.h"

namespace headway {

// The nodes of a network as the patterns see them: their number and, in grids, their coordinates.
struct NodeSpace {
  std::uint32_t nodes = 0;
  // Switches along each dimension; the first dimension varies fastest in their numbers, and the nodes of a
  // switch follow each other. Empty: the network has no coordinates.
  std::vector<std::uint32_t> sides = {};

  NodeSpace(std::uint32_t count)
      : nodes(count) {}  // NOLINT(google-explicit-constructor): a plain row of nodes
  NodeSpace(std::uint32_t count, std::vector<std::uint32_t> of_switches)
      : nodes(count), sides(std::move(of_switches)) {}

  // The nodes of a topology without mistakes.
  static NodeSpace of(const Topology& topology) {
    const std::vector<std::int64_t> sides = topology.sides();
    return {static_cast<std::uint32_t>(topology.nodes()), {sides.begin(), sides.end()}};
  }
};

// Destinations with fixed shares of the messages, the same for many sources of a pattern: consecutive nodes
// or listed ones.
struct Spread {
  NodeId first = 0;
  std::uint32_t count = 0;
  std::span<const NodeId> nodes = {};    // empty: the consecutive nodes
  std::span<const double> weights = {};  // of the nodes, with the sum 1; empty: all equal

  NodeId node(std::uint32_t place) const { return nodes.empty() ? first + place : nodes[place]; }
  double share(std::uint32_t place) const { return weights.empty() ? 1.0 / count : weights[place]; }
};

// A pattern bound to a network size. Immutable: all randomness comes from the source's own stream.
class Destinations {
 public:
  virtual ~Destinations() = default;
  // The destination of the source's next message, or kNone if this source never sends (a permutation's fixed
  // point).
  virtual NodeId next(NodeId source, Rng& rng) const = 0;
  // Calls visit(destination, share of the source's messages) for every possible destination. The default is
  // for patterns without randomness: one destination per source.
  using Visit = std::function<void(NodeId destination, double share)>;
  virtual void shares(NodeId source, const Visit& visit) const {
    Rng unused(0, 0);
    if (const NodeId destination = next(source, unused); destination != kNone) visit(destination, 1.0);
  }
  // The shares as a sum of components, of which there are few even if there are many destinations. A share
  // can be below 0: all nodes but the source are all nodes minus the source. The default has a component for
  // each destination.
  class Components {
   public:
    virtual ~Components() = default;
    virtual void one(NodeId destination, double share) = 0;
    virtual void spread(const Spread& destinations, double share) = 0;
  };
  virtual void visit_components(NodeId source, Components& components) const {
    shares(source, [&](NodeId destination, double share) { components.one(destination, share); });
  }
  // The part of the flow's load that the source generates, above 0.
  virtual double load_of(NodeId /*source*/) const { return 1.0; }
};

class Pattern {
 public:
  virtual ~Pattern() = default;
  virtual void describe(Parameters&) {}
  // Reports mistakes for these nodes; keys are relative to the flow ("pattern", "destination").
  virtual void check(const NodeSpace&, Mistakes&) const {}
  virtual std::unique_ptr<Destinations> build(const NodeSpace& space, std::uint64_t seed) const = 0;
};

Registry<Pattern> patterns();

}  // namespace headway
