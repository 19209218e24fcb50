// SPDX-License-Identifier: Apache-2.0
// The marks of RED, on packets that congestion isolation has moved aside at the root of their congestion
// only: the isolated flows guide the ECN marks of DCQCN, so that victims are not marked. Merino et al.,
// "Improving dynamic congestion isolation in data-center networks" (ICI), arXiv 2511.04639, 2025. Choice: the
// public text does not say where isolated packets are marked, nor by what; they are marked at their root,
// where CCFIT marks, by the bytes that wait for the output, as by DCQCN.
#pragma once

#include "headway/congestion/red_thresholds.h"

namespace headway {

class Marking;
template <class T>
struct Entry;

struct IsolationRed {
  static constexpr bool kNeedsIsolation = true;
  static Entry<Marking> entry();

  RedThresholds thresholds;

  struct State {};
  template <class Ask>
  bool marks(State&, const Ask& ask) const {
    return ask.is_of_root_line() && thresholds.mark(ask);
  }
};

}  // namespace headway
