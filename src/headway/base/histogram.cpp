// SPDX-License-Identifier: Apache-2.0
#include "headway/base/histogram.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headway {

// Whole powers of two, so that it seldom grows.
void Histogram::grow(std::size_t cell) { count_of_.resize((cell / kSub + 1) * kSub); }

void Histogram::add_progression(std::uint64_t first, std::uint64_t step, std::uint64_t values) {
  while (values > 0) {
    const std::uint64_t in_cell = std::min(values, (end_of(cell_of(first)) - first + step - 1) / step);
    add_times(first + (in_cell - 1) * step, in_cell);
    first += in_cell * step;
    values -= in_cell;
  }
}

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

double Histogram::middle_of(std::size_t cell) {
  if (cell < 2 * kSub) return static_cast<double>(cell);  // cells of one value
  const auto shift = static_cast<int>(cell / kSub) - 1;
  const double low = std::ldexp(static_cast<double>(cell % kSub + kSub), shift);
  return low + (std::ldexp(1.0, shift) - 1) / 2;
}

namespace {

// The number of the value of a quantile in the ascending list of all values, from 1.
std::uint64_t rank_of(double q, std::uint64_t values) {
  return std::max<std::uint64_t>(static_cast<std::uint64_t>(std::ceil(q * static_cast<double>(values))), 1);
}

}  // namespace

double Histogram::quantile(double q) const {
  const std::uint64_t values = count();
  if (values == 0) return 0;
  const std::uint64_t rank = rank_of(q, values);
  std::uint64_t seen = 0;
  std::size_t cell = 0;
  while ((seen += count_of_[cell]) < rank) ++cell;
  return std::min(middle_of(cell), static_cast<double>(max_));
}

void SparseHistogram::add(std::uint64_t value) {
  const auto number = static_cast<std::uint32_t>(Histogram::cell_of(value));
  auto cell = std::ranges::lower_bound(cells_, number, {}, &Cell::number);
  if (cell == cells_.end() || cell->number != number) cell = cells_.insert(cell, {number, 0});
  ++cell->count;
  max_ = std::max(max_, value);
}

double SparseHistogram::quantile(double q) const {
  std::uint64_t values = 0, seen = 0;
  for (const Cell& cell : cells_) values += cell.count;
  if (values == 0) return 0;
  const std::uint64_t rank = rank_of(q, values);
  auto cell = cells_.begin();
  while ((seen += cell->count) < rank) ++cell;
  return std::min(Histogram::middle_of(cell->number), static_cast<double>(max_));
}

}  // namespace headway
