// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "headway/selection/ask.h"

namespace headway {

// Random Priority: a random candidate, drawn once per packet and switch.
struct RandomPort : PlainSelection {
  static constexpr std::string_view kName = "rp";
  static constexpr std::string_view kHelp = "a random port, drawn once per packet and switch";

  template <class Ask>
  std::uint32_t preferred(const Ask& ask) const {
    return ask.drawn();
  }
};

}  // namespace headway
