// SPDX-License-Identifier: Apache-2.0
#include "headway/base/histogram.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headway {

// Whole powers of two, so that it seldom grows.
void Histogram::grow(std::size_t cell) { count_of_.resize((cell / kSub + 1) * kSub); }

void Histogram::add(const Histogram& other) {
  if (other.count_of_.size() > count_of_.size()) count_of_.resize(other.count_of_.size());
  for (std::size_t cell = 0; cell < other.count_of_.size(); ++cell) count_of_[cell] += other.count_of_[cell];
  max_ = std::max(max_, other.max_);
}

std::uint64_t Histogram::count() const {
  return std::accumulate(count_of_.begin(), count_of_.end(), std::uint64_t{0});
}

void Histogram::clear() {
  std::fill(count_of_.begin(), count_of_.end(), 0);
  max_ = 0;
}

double Histogram::quantile(double q) const {
  const std::uint64_t values = count();
  if (values == 0) return 0;
  const auto rank = static_cast<std::uint64_t>(std::ceil(q * static_cast<double>(values)));
  std::uint64_t seen = 0;
  for (std::size_t cell = 0; cell < count_of_.size(); ++cell) {
    seen += count_of_[cell];
    if (seen < std::max<std::uint64_t>(rank, 1)) continue;
    if (cell < 2 * kSub) return static_cast<double>(cell);  // cells of one value
    const auto shift = static_cast<int>(cell / kSub) - 1;
    const double low = std::ldexp(static_cast<double>(cell % kSub + kSub), shift);
    return std::min(low + (std::ldexp(1.0, shift) - 1) / 2, static_cast<double>(max_));
  }
  return static_cast<double>(max_);
}

}  // namespace headway
