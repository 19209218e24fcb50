// SPDX-License-Identifier: Apache-2.0
// First Free: the first candidate. The first links fill before the others see a packet. Source: Gilabert et
// al., Euro-Par 2006, section 4.
#pragma once

#include "headway/selection/ask.h"

namespace headway {

struct Ff {
  static constexpr SelectionKind kKind = SelectionKind::ff;
  static constexpr bool kReadsAddresses = false;

  template <class Ask>
  static std::uint32_t preferred(const Ask& ask) {
    static_cast<void>(ask);
    return 0;
  }
};

}  // namespace headway
