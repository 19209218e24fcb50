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

  void add(std::uint64_t value) {
    const std::size_t cell = cell_of(value);
    if (cell >= count_of_.size()) grow(cell);
    ++count_of_[cell];
    if (value > max_) max_ = value;
  }
  void add_times(std::uint64_t value, std::uint64_t times) {
    const std::size_t cell = cell_of(value);
    if (cell >= count_of_.size()) grow(cell);
    count_of_[cell] += times;
    if (value > max_) max_ = value;
  }
  // Adds first, first + step, ... : so many values. The step is positive.
  void add_progression(std::uint64_t first, std::uint64_t step, std::uint64_t values);
  void add(const Histogram& other);
  void clear();
  std::uint64_t count() const;  // of values; visits all cells
  std::uint64_t max() const { return max_; }
  // The smallest value v such that at least q * count() values are in cells up to that of v; 0 if empty. q is
  // in [0, 1]. Returns the middle of the cell, but at most max().
  double quantile(double q) const;
  friend bool operator==(const Histogram&, const Histogram&) = default;
  template <class Io>
  void serialize(Io& io) {
    io.list(count_of_);
    io.value(max_);
  }

 private:
  friend class SparseHistogram;
  static constexpr std::uint64_t kSub = 1ULL << kSubBits;
  static std::size_t cell_of(std::uint64_t value) {
    if (value < kSub) return value;
    const int shift = std::bit_width(value) - 1 - kSubBits;
    return (static_cast<std::size_t>(shift) + 1) * kSub + ((value >> shift) - kSub);
  }

  static double middle_of(std::size_t cell);
  // The smallest value of the next cell.
  static std::uint64_t end_of(std::size_t cell) {
    if (cell < kSub) return cell + 1;
    return (kSub + cell % kSub + 1) << (cell / kSub - 1);
  }

  void grow(std::size_t cell);

  std::vector<std::uint64_t> count_of_;  // [cell] up to that of the largest value
  std::uint64_t max_ = 0;
};

// A histogram for few values: its memory is that of the cells with values.
class SparseHistogram {
 public:
  void add(std::uint64_t value);
  std::uint64_t max() const { return max_; }
  double quantile(double q) const;  // as that of Histogram

 private:
  struct Cell {
    std::uint32_t number, count;
  };
  std::vector<Cell> cells_;  // ascending
  std::uint64_t max_ = 0;
};

}  // namespace headway
