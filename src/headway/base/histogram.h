// SPDX-License-Identifier: Apache-2.0
// A log-linear histogram of non-negative integers (as HdrHistogram, G. Tene): 2^kSubBits equal cells per
// power of two, so any quantile is known to within 2^-kSubBits of its value, with integer counts that merge
// exactly.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace headway {

class Histogram {
 public:
  static constexpr int kSubBits = 7;  // quantiles within 0.8 %

  Histogram() : count_of_(kCells, 0) {}

  void add(std::uint64_t value) {
    ++count_of_[cell_of(value)];
    ++count_;
    if (value > max_) max_ = value;
  }
  void clear();
  std::uint64_t count() const { return count_; }
  std::uint64_t max() const { return max_; }
  // The smallest value v such that at least q * count() values are in cells up to that of v; 0 if empty. q is
  // in [0, 1]. Returns the middle of the cell, but at most max().
  double quantile(double q) const;

 private:
  static constexpr std::uint64_t kSub = 1ULL << kSubBits;
  static constexpr std::size_t kCells = (64 - kSubBits + 1) * kSub;

  static std::size_t cell_of(std::uint64_t value) {
    if (value < kSub) return value;
    const int shift = std::bit_width(value) - 1 - kSubBits;
    return (static_cast<std::size_t>(shift) + 1) * kSub + ((value >> shift) - kSub);
  }

  std::vector<std::uint64_t> count_of_;  // [cell]
  std::uint64_t count_ = 0;
  std::uint64_t max_ = 0;
};

}  // namespace headway
