// SPDX-License-Identifier: Apache-2.0
// Random Priority: any, drawn once per packet and switch. Source: Gilabert et al., Euro-Par 2006, section 4.
#pragma once

#include "headway/selection/ask.h"

namespace headway {

struct Rp {
  static constexpr SelectionKind kKind = SelectionKind::rp;
  static constexpr bool kReadsAddresses = false;

  template <class Ask>
  static std::uint32_t preferred(const Ask& ask) {
    return ask.drawn();
  }
};

}  // namespace headway
