// SPDX-License-Identifier: Apache-2.0
#include "headway/experiment/steady_state.h"

namespace headway {

std::optional<std::size_t> warmup_length(const std::vector<double>& observations) {
  const std::size_t n = observations.size();
  if (n < kFewestObservations) return std::nullopt;
  // from the back: mean and sum of squared deviations of the rest, by Welford's recurrence
  double mean = 0, squares = 0, least = 0;
  std::size_t best = n;
  for (std::size_t cut = n; cut-- > 0;) {
    const auto rest = static_cast<double>(n - cut);
    const double deviation = observations[cut] - mean;
    mean += deviation / rest;
    squares += deviation * (observations[cut] - mean);
    const double score = squares / (rest * rest);
    // a handful of last observations says nothing about spread
    if (n - cut < kFewestObservations / 4) continue;
    if (best == n || score <= least) {
      least = score;
      best = cut;
    }
  }
  if (best > n / 2) return std::nullopt;
  return best;
}

}  // namespace headway
