// SPDX-License-Identifier: Apache-2.0
// Static Switch Priority: the switch's own digit of its stage, so that each switch of the first stage has an
// upward path of its own. Source: Gilabert et al., Euro-Par 2006, section 4.
#pragma once

#include "headway/selection/ask.h"

namespace headway {

struct Ssp {
  static constexpr SelectionKind kKind = SelectionKind::ssp;
  static constexpr bool kReadsAddresses = true;

  template <class Ask>
  static std::uint32_t preferred(const Ask& ask) {
    return ask.own_digit();
  }
};

}  // namespace headway
