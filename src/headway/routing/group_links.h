// SPDX-License-Identifier: Apache-2.0
// The links between two groups of a dragonfly or dragonfly+, and how a destination determines one of several.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "headway/base/divisor.h"

namespace headway {

// Consecutive numbers of links that join the same two groups.
struct LinkRange {
  std::uint32_t first = 0;
  std::uint32_t end = 0;

  std::uint32_t count() const { return end - first; }
  bool has(std::uint32_t link) const { return first <= link && link < end; }
  LinkRange shared_with(const LinkRange& other) const {
    const std::uint32_t from = std::max(first, other.first);
    return {from, std::max(from, std::min(end, other.end))};
  }
};

// The links between any two groups, numbered from 0 in the order of their global ports, which is the same in
// both groups. So the links at one switch have consecutive numbers. `port` is the number of the first global
// port that leads to the other group (first_global_port), among those of its group.
class GroupLinks {
 public:
  GroupLinks(std::uint32_t ports_of_switch, std::uint32_t groups, std::uint32_t links)
      : ports_of_switch_(ports_of_switch),
        apart_(groups - 1),
        links_(links),
        switch_divisor_(ports_of_switch),
        apart_divisor_(groups - 1) {}

  std::uint32_t count() const { return links_; }
  LinkRange all() const { return {0, links_}; }
  LinkRange at_switch(std::uint32_t sw, std::uint32_t port) const {
    const std::uint32_t begin = sw * ports_of_switch_;
    return {links_before(begin, port), links_before(begin + ports_of_switch_, port)};
  }
  std::uint32_t switch_of(std::uint32_t link, std::uint32_t port) const {
    return switch_divisor_.quotient(port + link * apart_);
  }
  // Among the global ports of its switch.
  std::uint32_t port_of(std::uint32_t link, std::uint32_t port) const {
    return port + link * apart_ - switch_of(link, port) * ports_of_switch_;
  }

 private:
  // Links whose global port has a lower number than `end`.
  std::uint32_t links_before(std::uint32_t end, std::uint32_t port) const {
    return end <= port ? 0 : std::min(links_, apart_divisor_.rounded_up(end - port));
  }

  std::uint32_t ports_of_switch_, apart_, links_;
  Divisor switch_divisor_, apart_divisor_;
};

// Gives consecutive numbers links at different switches: a permutation of 0 .. count-1, repeated. Links have
// consecutive numbers at each of `switches` switches.
class SpreadOrder {
 public:
  SpreadOrder(std::uint32_t count, std::uint32_t switches)
      : count_(count),
        step_((count + switches - 1) / switches),
        count_divisor_(count),
        round_divisor_(count / std::gcd(count, step_)) {}

  std::uint32_t operator()(std::uint32_t number) const {
    const std::uint32_t place = number - count_divisor_.quotient(number) * count_;
    const std::uint64_t link = std::uint64_t{place} * step_ + round_divisor_.quotient(place);
    return static_cast<std::uint32_t>(link % count_);
  }

 private:
  std::uint32_t count_, step_;
  Divisor count_divisor_, round_divisor_;
};

}  // namespace headway
