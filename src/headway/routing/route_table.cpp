// SPDX-License-Identifier: Apache-2.0
#include "headway/routing/route_table.h"

#include <utility>

namespace headway {

RouteTable RouteTable::from_table(std::uint32_t nodes, std::vector<PortRange> candidates,
                                  std::uint32_t switches_per_row) {
  RouteTable result;
  result.nodes_ = nodes;
  result.row_ = Divisor(switches_per_row);
  result.table_ = std::move(candidates);
  return result;
}

RouteTable RouteTable::k_ary_n_tree(std::uint32_t arity, std::uint32_t stages, TreeUp up) {
  RouteTable result;
  result.arity_ = arity;
  if (up == TreeUp::all) {
    result.up_digit_ = 0;
    result.more_up_ = arity - 1;
  }
  result.arity_divisor_ = Divisor(arity);
  std::uint32_t switches_per_stage = 1;
  for (std::uint32_t s = 1; s < stages; ++s) switches_per_stage *= arity;
  std::uint32_t power = 1;
  for (std::uint32_t s = 0; s < stages; ++s, power *= arity) {
    for (std::uint32_t o = 0; o < switches_per_stage; ++o)
      result.tree_.push_back({Divisor(power), o / power});
  }
  return result;
}

}  // namespace headway
