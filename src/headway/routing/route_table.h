// SPDX-License-Identifier: Apache-2.0
// The product of a routing function: at(switch, destination) -> candidate output ports.
//
// Small networks hold a table; large regular ones answer by formula behind the same call, because 65,536
// nodes must not need a switches x nodes table (modelling.md). Never reads buffer state.
#pragma once

#include <cstdint>
#include <vector>

#include "headway/base/ids.h"
#include "headway/base/wide.h"

namespace headway {

// A run of local output ports of one switch; count 0 means unreachable.
struct PortRange {
  std::uint16_t first = 0;
  std::uint16_t count = 0;
  friend bool operator==(const PortRange&, const PortRange&) = default;
};

// Division of 32-bit numbers by a run constant with one multiplication (Lemire, Kaser and Kurz, 2019).
class Divisor {
 public:
  explicit Divisor(std::uint32_t divisor = 1) : reciprocal_(~0ULL / divisor) {}
  // With 1/d rounded down, (n + 1) / d is short by less than 2^-32 and so falls between n div d and the next.
  std::uint32_t quotient(std::uint32_t n) const {
    return static_cast<std::uint32_t>((Wide{reciprocal_} * (n + 1ULL)) >> 64);
  }

 private:
  std::uint64_t reciprocal_;
};

class RouteTable {
 public:
  // candidates[row * nodes + destination]; each row serves that many consecutive switches
  static RouteTable from_table(std::uint32_t nodes, std::vector<PortRange> candidates,
                               std::uint32_t switches_per_row = 1);
  // The k-ary n-tree by formula: down by digit; up to port k + digit of the stage (DET), or to all k up
  // ports.
  enum class TreeUp : std::uint8_t { destination_digit, all };
  static RouteTable k_ary_n_tree(std::uint32_t arity, std::uint32_t stages, TreeUp up);

  PortRange at(SwitchId sw, NodeId destination) const {
    if (!table_.empty()) return table_[static_cast<std::size_t>(row_.quotient(sw)) * nodes_ + destination];
    const TreeSwitch& here = tree_[sw];
    const std::uint32_t shifted = here.stage_power.quotient(destination);  // digits from d_s on
    const std::uint32_t above = arity_divisor_.quotient(shifted);          // digits from d_{s+1} on
    const std::uint32_t digit = shifted - above * arity_;
    // By masks, not by a branch: whether a packet turns here is a coin toss for the processor.
    const std::uint32_t up = above == here.subtree ? 0 : ~0U;
    return {static_cast<std::uint16_t>((digit & (up_digit_ | ~up)) + (arity_ & up)),
            static_cast<std::uint16_t>(1 + (more_up_ & up))};
  }

 private:
  struct TreeSwitch {
    Divisor stage_power;    // k^s
    std::uint32_t subtree;  // o div k^s: a destination is below iff d div k^(s+1) equals it
  };

  std::uint32_t nodes_ = 0;
  std::vector<PortRange> table_;
  Divisor row_;  // switches per row of the table
  std::uint32_t arity_ = 0;
  std::uint32_t up_digit_ = ~0U;  // mask of the destination's digit in the first up port
  std::uint32_t more_up_ = 0;     // up ports to choose from, less one
  Divisor arity_divisor_;
  std::vector<TreeSwitch> tree_;  // [switch]
};

}  // namespace headway
