// SPDX-License-Identifier: Apache-2.0
// Static Origin Priority: the source's lowest digit, the same in every stage. Source: Gilabert et al.,
// Euro-Par 2006, section 4.
#pragma once

#include "headway/selection/ask.h"

namespace headway {

struct Sop {
  static constexpr SelectionKind kKind = SelectionKind::sop;
  static constexpr bool kReadsAddresses = true;

  template <class Ask>
  static std::uint32_t preferred(const Ask& ask) {
    return ask.lowest_digit(ask.source);
  }
};

}  // namespace headway
