// SPDX-License-Identifier: Apache-2.0
// Marks as in InfiniBand's congestion control (InfiniBand Architecture Specification 1.3, annex A10): a port
// in congestion marks packets if it is a root, which has credits to send, or if it is in the victim mask. See
// Gran et al., "First experiences with congestion control in InfiniBand hardware", IPDPS 2010.
#pragma once

#include <cstdint>

namespace headway {

class Marking;
template <class T>
struct Entry;

struct InfiniBandMarking {
  static constexpr bool kNeedsIsolation = false;
  static Entry<Marking> entry();

  std::uint64_t threshold = 0;  // bytes, with those of the packet

  struct State {};
  template <class Ask>
  bool marks(State&, const Ask& ask) const {
    return ask.waiting() + ask.bytes() > threshold;
  }
};

}  // namespace headway
