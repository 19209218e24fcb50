// SPDX-License-Identifier: Apache-2.0
// Marks on packets that congestion isolation has moved aside at the root of their congestion, so that victims
// are never marked. Escudero-Sahuquillo et al., "Combining congested-flow isolation and injection throttling
// in HPC interconnection networks" (CCFIT), ICPP 2011; Merino et al., arXiv 2511.04639, 2025 (isolation
// guides ECN). Choice: the text of the first paper is not public; the thresholds are a reading of its
// abstract and of FBICM.
#pragma once

#include <cstdint>

namespace headway {

class Marking;
template <class T>
struct Entry;

struct IsolationMarking {
  static constexpr bool kNeedsIsolation = true;
  static Entry<Marking> entry();

  std::uint64_t low = 0, high = 0;  // packets

  // Of an output: it is congested from when a root line for it has many packets until all have few.
  struct State {
    bool congested = false;
  };
  template <class Ask>
  bool marks(State& own, const Ask& ask) const {
    const std::uint64_t most = ask.most_of_root_lines();
    own.congested = most > high || (own.congested && most > low);
    return own.congested && ask.is_of_root_line();
  }
};

}  // namespace headway
