// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "headway/compile/run_cost.h"

namespace headway {

// A point with an existing spec.
inline Point make_point(Params params, Spec spec) {
  Point point{.params = std::move(params), .seed = seed_of(spec), .spec = [spec] { return spec; }};
  if (const auto* event = std::get_if<EventSpec>(&spec)) point.work = work_of(*event, Plan{});
  return point;
}

}  // namespace headway
