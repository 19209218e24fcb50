// SPDX-License-Identifier: Apache-2.0
// The destination-pattern family: to whom a source sends its next message. One virtual call per message.
#pragma once

#include <functional>

#include "headway/base/error.h"
#include "headway/base/ids.h"
#include "headway/base/rng.h"
#include "headway/config/parameters.h"
#include "headway/config/registry.h"

namespace headway {

// A pattern bound to a network size. Immutable: all randomness comes from the source's own stream.
class Destinations {
 public:
  virtual ~Destinations() = default;
  // The destination of the source's next message, or kNone if this source never sends (a permutation's fixed
  // point).
  virtual NodeId next(NodeId source, Rng& rng) const = 0;
  // Calls visit(destination, share of the source's messages) for every destination `next` can give. As it
  // stands it is for patterns that draw nothing: one destination per source.
  using Visit = std::function<void(NodeId destination, double share)>;
  virtual void shares(NodeId source, const Visit& visit) const {
    Rng unused(0, 0);
    if (const NodeId destination = next(source, unused); destination != kNone) visit(destination, 1.0);
  }
};

class Pattern {
 public:
  virtual ~Pattern() = default;
  virtual void describe(Parameters& parameters) = 0;
  // Adds what does not fit a network of that many nodes; keys are relative to the flow ("pattern",
  // "destination").
  virtual void check(std::uint32_t nodes, Mistakes& mistakes) const = 0;
  virtual std::unique_ptr<Destinations> build(std::uint32_t nodes, std::uint64_t seed) const = 0;
};

Registry<Pattern> patterns();

}  // namespace headway
