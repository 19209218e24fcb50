// SPDX-License-Identifier: Apache-2.0
// Cyclic Priority: a counter of the switch that moves on with every packet routed. Choice: with every packet
// that finds an output; a failed search does not move it. Source: Gilabert et al., Euro-Par 2006, section 4.
#pragma once

#include "headway/selection/ask.h"

namespace headway {

struct Cp {
  static constexpr SelectionKind kKind = SelectionKind::cp;
  static constexpr bool kReadsAddresses = false;

  template <class Ask>
  static std::uint32_t preferred(const Ask& ask) {
    return ask.turn % ask.candidates;
  }
};

}  // namespace headway
