// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "headway/selection/ask.h"

namespace headway {

// First Free: the first candidate. The first links fill before the others are used.
struct FirstFree : PlainSelection {
  static constexpr std::string_view kName = "ff";
  static constexpr std::string_view kHelp = "the first free port";

  template <class Ask>
  std::uint32_t preferred(const Ask&) const {
    return 0;
  }
};

}  // namespace headway
