// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "headway/selection/ask.h"

namespace headway {

// Cyclic Priority: a counter of the switch that advances with every packet that it routes ("each time a
// packet is routed"): those that go up, or all (CpCounts). Choice: it advances when a packet is given an
// output, and not with a failed search.
struct Cyclic : PlainSelection {
  static constexpr std::string_view kName = "cp";
  static constexpr std::string_view kHelp = "all ports in turn, by a counter in each switch";
  static std::uint32_t next_turn(std::uint32_t turn, std::uint32_t) { return turn + 1; }

  template <class Ask>
  std::uint32_t preferred(const Ask& ask) const {
    return ask.turn % ask.candidates;
  }
};

}  // namespace headway
