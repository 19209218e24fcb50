// SPDX-License-Identifier: Apache-2.0
// Marks by two thresholds and a probability between them, as Ethernet switches mark with ECN for DCQCN (Zhu
// et al., "Congestion control for large-scale RDMA deployments", SIGCOMM 2015, section 3.1; Floyd and
// Jacobson, 1993, with the present queue instead of a mean). Switches mark when a packet leaves, by the bytes
// that stay behind (Zhu et al., "ECN or Delay", CoNEXT 2016), or when it arrives, by those before it.
#pragma once

#include "headway/congestion/red_thresholds.h"

namespace headway {

class Marking;
template <class T>
struct Entry;

struct Red {
  static constexpr bool kNeedsIsolation = false;
  static Entry<Marking> entry();

  RedThresholds thresholds;

  struct State {};
  template <class Ask>
  bool marks(State&, const Ask& ask) const {
    return thresholds.mark(ask);
  }
};

}  // namespace headway
