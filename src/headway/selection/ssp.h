// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "headway/selection/ask.h"

namespace headway {

// Static Switch Priority: the digit of its stage in the switch's own number. Each switch of the first stage
// has its own upward path.
struct Ssp : PlainSelection {
  static constexpr std::string_view kName = "ssp";
  static constexpr std::string_view kHelp = "the digit of the switch's own number";
  static constexpr bool kUsesAddresses = true;

  template <class Ask>
  std::uint32_t preferred(const Ask& ask) const {
    return ask.own_digit();
  }
};

}  // namespace headway
