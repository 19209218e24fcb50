// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "headway/selection/ask.h"

namespace headway {

// Static Destination Priority: the lowest digit of the destination's number, the same in every stage, so that
// paths to destinations with other lowest digits are disjoint.
struct Sdp : PlainSelection {
  static constexpr std::string_view kName = "sdp";
  static constexpr std::string_view kHelp = "the lowest digit of the destination's number";
  static constexpr bool kUsesAddresses = true;

  template <class Ask>
  std::uint32_t preferred(const Ask& ask) const {
    return ask.lowest_digit(ask.destination);
  }
};

}  // namespace headway
