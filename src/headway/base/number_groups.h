// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "headway/base/ids.h"

namespace headway {

// Numbers from 0 on, in groups. The numbers of a group lie side by side in memory, in ascending order.
class NumberGroups {
 public:
  // group_of(number): its group, or kNone. Reuses memory.
  template <class GroupOf>
  void assign(std::size_t groups, std::size_t numbers, GroupOf&& group_of) {
    begin_.assign(groups + 1, 0);
    for (std::uint32_t number = 0; number < numbers; ++number)
      if (const std::uint32_t group = group_of(number); group != kNone) ++begin_[group];
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    numbers_.resize(begin_.back());
    for (auto number = static_cast<std::uint32_t>(numbers); number-- > 0;)
      if (const std::uint32_t group = group_of(number); group != kNone) numbers_[--begin_[group]] = number;
  }

  std::span<const std::uint32_t> operator[](std::size_t group) const {
    return std::span(numbers_).subspan(begin_[group], begin_[group + 1] - begin_[group]);
  }
  std::uint64_t bytes() const { return (begin_.capacity() + numbers_.capacity()) * sizeof(std::uint32_t); }
  // All numbers that have a group, group by group.
  std::span<const std::uint32_t> all() const { return numbers_; }

 private:
  std::vector<std::uint32_t> begin_;  // [group] -> first index in numbers_
  std::vector<std::uint32_t> numbers_;
};

}  // namespace headway
