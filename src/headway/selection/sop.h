// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "headway/selection/ask.h"

namespace headway {

// Static Origin Priority: the lowest digit of the source's number, the same in every stage.
struct Sop : PlainSelection {
  static constexpr std::string_view kName = "sop";
  static constexpr std::string_view kHelp = "the lowest digit of the source's number";
  static constexpr bool kUsesAddresses = true;

  template <class Ask>
  std::uint32_t preferred(const Ask& ask) const {
    return ask.lowest_digit(ask.source);
  }
};

}  // namespace headway
