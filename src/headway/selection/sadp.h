// SPDX-License-Identifier: Apache-2.0
// Stage And Destination Priority: the destination's digit of the switch's stage, so that a switch at the top
// gets the destinations that differ in the highest digit only, each down a link of its own. Without the
// search for another link this is DET. Source: Gilabert et al., Euro-Par 2006, section 4.
#pragma once

#include "headway/selection/ask.h"

namespace headway {

struct Sadp {
  static constexpr SelectionKind kKind = SelectionKind::sadp;
  static constexpr bool kReadsAddresses = true;

  template <class Ask>
  static std::uint32_t preferred(const Ask& ask) {
    return ask.digit_of_stage(ask.destination);
  }
};

}  // namespace headway
