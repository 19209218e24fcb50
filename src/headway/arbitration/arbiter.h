// SPDX-License-Identifier: Apache-2.0
// An arbiter chooses one of the requests for a free output port (docs/modelling.md, "Arbitrate"). It is an
// inlined policy of the engine. It knows only the candidate inputs and can ask an input for its eligible
// request.
//
// An arbiter is a struct in a file of its own and its line in arbiters.h. It has:
//   kName           in specs
//   kAge            the age of a packet that it compares, if any: the request of an input must then be its
//                   oldest, with `since`; otherwise its first in order
//   kDraws          whether it draws random numbers, of which each device has a stream
//   kServesGroups   whether inputs take turns for each group of queues behind an output (group_turns.h)
//   Policy          the arbiter whose pick() it has; often itself
//   pick(candidates, pointer, request) -> Request, or pick(candidates, request, rng) if it draws:
//     candidates.visit_from(pointer, f) calls f(input) in rotating order until f returns true,
//     request(input) gives that input's eligible request, or one with queue == kNone
#pragma once

#include <cstdint>
#include <string_view>

#include "headway/base/ids.h"

namespace headway {

struct Request {
  std::uint32_t input = kNone;  // local port
  std::uint32_t queue = kNone;  // global id; kNone: nothing eligible
  Tick since = 0;               // time from which its packet's age counts (Age)

  explicit operator bool() const { return queue != kNone; }
};

// From when the age of a packet counts for an arbiter.
enum class Age : std::uint8_t { none, at_switch, in_network };

}  // namespace headway
