// SPDX-License-Identifier: Apache-2.0
#include "headway/traffic/message_sizes.h"

#include <algorithm>
#include <numeric>

#include "headway/base/wide.h"

namespace headway {

SizeDistribution::SizeDistribution(const std::vector<Component>& components) {
  constexpr std::uint64_t kOne = 1ULL << 53;
  double share = 0, squares = 0;
  std::uint64_t before = 0;
  for (const Component& one : components) {
    share += one.share;
    const bool last = &one == &components.back();
    const std::uint64_t threshold = last ? kOne : std::min(kOne, static_cast<std::uint64_t>(share * 0x1p53));
    if (threshold == before) continue;
    pieces_.push_back({threshold, one.first, one.last - one.first + 1});
    least_ = std::min(least_, one.first);
    most_ = std::max(most_, one.last);
    const double p = static_cast<double>(threshold - before) * 0x1p-53;
    const auto first = static_cast<double>(one.first), end = static_cast<double>(one.last);
    const double middle = (first + end) / 2, count = end - first + 1;
    mean_ += p * middle;
    squares += p * (middle * middle + (count * count - 1) / 12);
    before = threshold;
  }
  mean_of_bytes_ = fixed() ? mean_ : squares / mean_;
}

std::uint64_t SizeDistribution::shortest_packet(std::uint64_t full) const {
  std::uint64_t shortest = full;
  for (const Piece& piece : pieces_) {
    const std::uint64_t last = piece.first + piece.count - 1, rest = piece.first % full;
    const bool starts_a_packet =
        (piece.first - 1) / full != (last - 1) / full;  // a size within has a rest of 1
    shortest = std::min(shortest, starts_a_packet ? 1 : rest == 0 ? full : rest);
  }
  return shortest;
}

std::uint64_t SizeDistribution::unit_of_packets(std::uint64_t full) const {
  std::uint64_t unit = full;
  for (const Piece& piece : pieces_) unit = piece.count > 1 ? 1 : std::gcd(unit, piece.first);
  return unit;
}

std::uint64_t SizeDistribution::next(Rng& rng) const {
  const std::uint64_t u = rng.next() >> 11;
  const auto piece = std::ranges::upper_bound(pieces_, u, {}, &Piece::threshold);
  if (piece->count == 1) return piece->first;
  return piece->first + static_cast<std::uint64_t>((Wide{rng.next()} * piece->count) >> 64);
}

}  // namespace headway
