// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "headway/arbitration/arbiter.h"

namespace headway {

// Inputs take turns.
struct RoundRobin {
  static constexpr std::string_view kName = "round-robin";
  static constexpr Age kAge = Age::none;
  static constexpr bool kDraws = false, kServesGroups = true;
  using Policy = RoundRobin;

  template <class Candidates, class Eligible>
  static Request pick(const Candidates& candidates, std::uint32_t pointer, Eligible&& request) {
    Request won;
    candidates.visit_from(pointer, [&](std::uint32_t input) {
      won = request(input);
      return static_cast<bool>(won);
    });
    return won;
  }
};

}  // namespace headway
