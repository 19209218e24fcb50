// SPDX-License-Identifier: Apache-2.0
// Arbiters: they choose one of the requests for a free output port (docs/modelling.md, "Arbitrate"). They are
// inlined policies of the engine. An arbiter knows only the candidate inputs and can ask an input for its
// eligible request.
//
// An arbiter has pick(candidates, pointer, request) -> Request, or pick(candidates, request, rng) if it
// draws:
//   candidates.visit_from(pointer, f) calls f(input) in rotating order until f returns true,
//   request(input) gives that input's eligible request, or one with queue == kNone.
// For OldestFirst, the request of an input must be its oldest, with `since`; otherwise its first in order.
#pragma once

#include <cstdint>

#include "headway/base/ids.h"
#include "headway/base/rng.h"

namespace headway {

struct Request {
  std::uint32_t input = kNone;  // local port
  std::uint32_t queue = kNone;  // global id; kNone: nothing eligible
  Tick since = 0;               // time from which its packet's age counts (ArbiterKind)

  explicit operator bool() const { return queue != kNone; }
};

struct RoundRobin {
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

struct OldestFirst {
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

struct RandomArbiter {
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
