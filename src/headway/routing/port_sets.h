// SPDX-License-Identifier: Apache-2.0
// Sets of ports for route tables whose candidates are not consecutive (RouteTable::from_sets). Equal sets are
// stored once.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "headway/routing/port_range.h"

namespace headway {

class PortSets {
 public:
  // A single port is its own range. nullopt if there are too many different sets.
  std::optional<PortRange> range_of(std::vector<std::uint16_t> set) {
    const auto count = static_cast<std::uint16_t>(set.size());
    if (count <= 1) return PortRange{count == 0 ? std::uint16_t{0} : set.front(), count};
    const auto [found, fresh] = place_of_.emplace(std::move(set), ports_.size());
    if (fresh) ports_.insert(ports_.end(), found->first.begin(), found->first.end());
    if (found->second > kMostPlaces) return std::nullopt;
    return PortRange{static_cast<std::uint16_t>(found->second), count};
  }

  const std::vector<std::uint16_t>& ports() const { return ports_; }

 private:
  static constexpr std::size_t kMostPlaces = 0xffff;
  std::map<std::vector<std::uint16_t>, std::size_t> place_of_;  // index of a set in ports_
  std::vector<std::uint16_t> ports_;
};

}  // namespace headway
