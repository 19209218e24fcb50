// SPDX-License-Identifier: Apache-2.0
// The destination-pattern family: it chooses the destination of a source's next message, with one virtual
// call per message.
#pragma once

#include <functional>

#include "headway/base/error.h"
#include "headway/base/ids.h"
#include "headway/base/rng.h"
#include "headway/config/parameters.h"
#include "headway/config/registry.h"
#include "headway/traffic/node_space.h"

namespace headway {

// A pattern bound to a network size. Immutable: all randomness comes from the source's own stream.
class Destinations {
 public:
  virtual ~Destinations() = default;
  // The destination of the source's next message, or kNone if this source never sends (a permutation's fixed
  // point).
  virtual NodeId next(NodeId source, Rng& rng) const = 0;
  // True if the source ever sends. The nodes of a flow that never send are no sources.
  bool sends(NodeId node) const {
    Rng unused(0, 0);
    return next(node, unused) != kNone;
  }
  // Calls visit(destination, share of the source's messages) for every possible destination. The default is
  // for patterns without randomness: one destination per source.
  using Visit = std::function<void(NodeId destination, double share)>;
  virtual void shares(NodeId source, const Visit& visit) const {
    Rng unused(0, 0);
    if (const NodeId destination = next(source, unused); destination != kNone) visit(destination, 1.0);
  }
  // The part of the flow's load that the source generates, above 0.
  virtual double load_of(NodeId /*source*/) const { return 1.0; }
};

class Pattern {
 public:
  virtual ~Pattern() = default;
  virtual void describe(Parameters& parameters) = 0;
  // Reports mistakes for these nodes; keys are relative to the flow ("pattern", "destination").
  virtual void check(const NodeSpace& space, Mistakes& mistakes) const = 0;
  virtual std::unique_ptr<Destinations> build(const NodeSpace& space, std::uint64_t seed) const = 0;
};

Registry<Pattern> patterns();

}  // namespace headway
