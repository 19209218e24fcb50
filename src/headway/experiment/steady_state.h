// SPDX-License-Identifier: Apache-2.0
// When is the warm-up over? MSER (White, "An effective truncation heuristic for bias reduction in simulation
// output", Simulation 69:6, 1997): cut the observations where the standard error of the mean of the rest is
// smallest; the rest is steady if that cut lies in the first half.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace headway {

// How many of the first observations to cut, or nothing if no cut in the first half is best or there are
// fewer than `kFewestObservations`.
inline constexpr std::size_t kFewestObservations = 20;
std::optional<std::size_t> warmup_length(const std::vector<double>& observations);

}  // namespace headway
