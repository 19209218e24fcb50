// SPDX-License-Identifier: Apache-2.0
// The oldest packet goes first: the one that arrived first at the switch, or that the network has had for
// longest.
#pragma once

#include "headway/arbitration/arbiter.h"

namespace headway {

struct OldestFirst {
  static constexpr std::string_view kName = "oldest-first";
  static constexpr Age kAge = Age::at_switch;
  static constexpr bool kDraws = false, kServesGroups = false;
  using Policy = OldestFirst;

  template <class Candidates, class Eligible>
  static Request pick(const Candidates& candidates, std::uint32_t pointer, Eligible&& request) {
    Request won;
    candidates.visit_from(pointer, [&](std::uint32_t input) {
      const Request other = request(input);
      if (other && (!won || other.since < won.since)) won = other;
      return false;
    });
    return won;
  }
};

struct OldestInjected : OldestFirst {
  static constexpr std::string_view kName = "oldest-injected";
  static constexpr Age kAge = Age::in_network;
};

}  // namespace headway
