// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "headway/compile/experiment.h"

namespace headway {

// A point with an existing spec.
inline Point make_point(Params params, Spec spec) {
  const std::uint64_t seed = seed_of(spec);
  return {std::move(params), seed, [made = std::move(spec)] { return made; }};
}

}  // namespace headway
