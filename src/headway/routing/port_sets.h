// SPDX-License-Identifier: Apache-2.0
// Sets of ports for route tables whose candidates are not consecutive (RouteTable::from_sets). Equal sets are
// stored once.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "headway/base/hash.h"
#include "headway/routing/port_range.h"

namespace headway {

class PortSets {
 public:
  // A single port is its own range. nullopt if there are too many different sets.
  std::optional<PortRange> range_of(const std::vector<std::uint16_t>& set) {
    const auto count = static_cast<std::uint16_t>(set.size());
    if (count <= 1) return PortRange{count == 0 ? std::uint16_t{0} : set.front(), count};
    const auto [found, fresh] = place_of_.try_emplace(set, ports_.size());
    if (fresh) ports_.insert(ports_.end(), set.begin(), set.end());
    if (found->second > kMostPlaces) return std::nullopt;
    return PortRange{static_cast<std::uint16_t>(found->second), count};
  }

  const std::vector<std::uint16_t>& ports() const { return ports_; }

 private:
  static constexpr std::size_t kMostPlaces = 0xffff;
  struct HashOf {
    std::size_t operator()(const std::vector<std::uint16_t>& set) const {
      return hash_of({reinterpret_cast<const char*>(set.data()), set.size() * sizeof(set[0])});
    }
  };
  std::unordered_map<std::vector<std::uint16_t>, std::size_t, HashOf> place_of_;  // index of a set in ports_
  std::vector<std::uint16_t> ports_;
};

}  // namespace headway
