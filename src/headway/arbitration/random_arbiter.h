// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "headway/arbitration/arbiter.h"
#include "headway/base/rng.h"

namespace headway {

struct RandomArbiter {
  static constexpr std::string_view kName = "random";
  static constexpr Age kAge = Age::none;
  static constexpr bool kDraws = true, kServesGroups = false;
  using Policy = RandomArbiter;

  template <class Candidates, class Eligible>
  static Request pick(const Candidates& candidates, Eligible&& request, Rng& rng) {
    std::uint32_t eligible = 0;
    Request only;
    candidates.visit_from(0, [&](std::uint32_t input) {
      if (const Request other = request(input)) {
        ++eligible;
        only = other;
      }
      return false;
    });
    if (eligible <= 1) return only;
    std::uint32_t chosen = rng.below(eligible);
    Request won;
    candidates.visit_from(0, [&](std::uint32_t input) {
      const Request other = request(input);
      if (!other) return false;
      won = other;
      return chosen-- == 0;
    });
    return won;
  }
};

}  // namespace headway
