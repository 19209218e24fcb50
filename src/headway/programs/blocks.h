// SPDX-License-Identifier: Apache-2.0
// The blocks into which a collective cuts its data.
#pragma once

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace headway {

class Blocks {
 public:
  explicit Blocks(std::span<const std::uint64_t> sizes) : ends_(sizes.size() + 1) {
    std::inclusive_scan(sizes.begin(), sizes.end(), ends_.begin() + 1);
  }
  // Sizes differ by at most one byte; the longer blocks come first.
  static Blocks even(std::uint64_t bytes, std::uint32_t count) {
    std::vector<std::uint64_t> sizes(count, bytes / count);
    for (std::uint32_t i = 0; i < bytes % count; ++i) ++sizes[i];
    return Blocks(sizes);
  }

  std::uint32_t count() const { return static_cast<std::uint32_t>(ends_.size() - 1); }
  std::uint64_t total() const { return ends_.back(); }
  std::uint64_t size(std::uint32_t block) const { return ends_[block + 1] - ends_[block]; }
  bool operator==(const Blocks&) const = default;
  bool all_equal() const {
    for (std::uint32_t block = 1; block < count(); ++block)
      if (size(block) != size(0)) return false;
    return true;
  }
  std::uint64_t range(std::uint32_t first, std::uint32_t end) const { return ends_[end] - ends_[first]; }
  // `number` blocks from `first` on; block 0 follows the last one.
  std::uint64_t cyclic(std::uint32_t first, std::uint32_t number) const {
    const std::uint32_t end = first + number;
    return end <= count() ? range(first, end) : range(first, count()) + range(0, end - count());
  }
  Blocks part(std::uint32_t first, std::uint32_t end) const {
    std::vector<std::uint64_t> sizes;
    for (std::uint32_t block = first; block < end; ++block) sizes.push_back(size(block));
    return Blocks(sizes);
  }
  // Every `number` blocks become one. `number` divides the count.
  Blocks joined(std::uint32_t number) const {
    std::vector<std::uint64_t> sizes;
    for (std::uint32_t block = 0; block < count(); block += number)
      sizes.push_back(range(block, block + number));
    return Blocks(sizes);
  }

 private:
  std::vector<std::uint64_t> ends_;  // [block + 1]
};

}  // namespace headway
