// SPDX-License-Identifier: Apache-2.0
// Static Destination Priority: the destination's lowest digit, the same in every stage, so that paths to
// destinations with other lowest digits are disjoint. Source: Gilabert et al., Euro-Par 2006, section 4.
#pragma once

#include "headway/selection/ask.h"

namespace headway {

struct Sdp {
  static constexpr SelectionKind kKind = SelectionKind::sdp;
  static constexpr bool kReadsAddresses = true;

  template <class Ask>
  static std::uint32_t preferred(const Ask& ask) {
    return ask.lowest_digit(ask.destination);
  }
};

}  // namespace headway
