// SPDX-License-Identifier: Apache-2.0
// More Credits: the link with most credits over its virtual channels. Choice: ties go to the first at or
// after a pointer of the switch that moves behind the output chosen last, or after a drawn one; with credits
// for two packets nearly everything ties, and always the lowest would be First Free. Source: Gilabert et al.,
// Euro-Par 2006, section 4.
#pragma once

#include "headway/selection/ask.h"

namespace headway {

struct Mc {
  static constexpr SelectionKind kKind = SelectionKind::mc;
  static constexpr bool kReadsAddresses = false;

  template <class Ask>
  static std::uint32_t preferred(const Ask& ask) {
    const std::uint32_t start = ask.rule.random_ties ? ask.drawn() : ask.turn % ask.candidates;
    std::uint32_t best = start;
    for (std::uint32_t step = 1; step < ask.candidates; ++step) {
      const std::uint32_t other = (start + step) % ask.candidates;
      if (ask.room(other) > ask.room(best)) best = other;
    }
    return best;
  }
};

}  // namespace headway
