// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "headway/selection/ask.h"

namespace headway {

// Stage And Destination Priority: the stage's digit of the destination's number, so that a switch of the
// last stage receives destinations that differ only in the highest digit, and forwards each on its own
// down link. Without the search for another link this is DET.
struct Sadp : PlainSelection {
  static constexpr std::string_view kName = "sadp";
  static constexpr std::string_view kHelp = "the stage's digit of the destination's number";
  static constexpr bool kUsesAddresses = true;

  template <class Ask>
  std::uint32_t preferred(const Ask& ask) const {
    return ask.digit_of_stage(ask.destination);
  }
};

}  // namespace headway
