// SPDX-License-Identifier: Apache-2.0
#include "headway/routing/route_table.h"

#include <utility>

#include "headway/base/rng.h"

namespace headway {

RouteTable RouteTable::from_table(std::uint32_t nodes, std::vector<PortRange> candidates,
                                  std::uint32_t switches_per_row) {
  RouteTable result;
  result.nodes_ = nodes;
  result.row_ = Divisor(switches_per_row);
  result.table_ = std::move(candidates);
  return result;
}

RouteTable RouteTable::from_sets(std::uint32_t nodes, std::vector<PortRange> candidates,
                                 std::vector<std::uint16_t> ports, bool per_pair) {
  RouteTable result = from_table(nodes, std::move(candidates));
  result.ports_ = std::move(ports);
  result.per_pair_ = per_pair;
  return result;
}

RouteTable RouteTable::tree(const TreeShape& shape, TreeUp up) {
  RouteTable result;
  result.kind_ = shape.place_of.empty() ? Kind::tree : Kind::renamed_tree;
  result.place_of_ = shape.place_of;
  result.up_ = up;
  result.arity_ = shape.arity;
  if (up != TreeUp::destination_digit) {
    result.up_digit_ = 0;
    result.more_up_ = shape.arity - 1;
  }
  result.arity_divisor_ = Divisor(shape.arity);
  std::uint32_t switches_per_stage = 1;
  for (std::uint32_t s = 1; s < shape.stages; ++s) switches_per_stage *= shape.arity;
  std::vector<TreeSwitch> switches;
  std::uint32_t power = 1;
  for (std::uint32_t s = 0; s < shape.stages; ++s, power *= shape.arity) {
    for (std::uint32_t o = 0; o < switches_per_stage; ++o) switches.push_back({Divisor(power), o / power});
  }
  result.tree_ = std::move(switches);
  return result;
}

RouteTable RouteTable::by_formula(Formula formula) {
  RouteTable result;
  result.kind_ = Kind::formula;
  result.formula_ = std::move(formula);
  return result;
}

RouteTable RouteTable::tabulated(const Graph& graph) const {
  std::vector<PortRange> candidates;
  candidates.reserve(std::size_t{graph.switches()} * graph.nodes());
  for (SwitchId sw = 0; sw < graph.switches(); ++sw)
    for (NodeId node = 0; node < graph.nodes(); ++node) candidates.push_back(at(sw, node));
  return from_table(graph.nodes(), std::move(candidates));
}

PortRange RouteTable::at_formula(SwitchId sw, NodeId destination) const {
  if (const auto* grid = std::get_if<GridRoutes>(&formula_)) return grid->at(sw, destination);
  if (const auto* hyperx = std::get_if<HyperXRoutes>(&formula_)) return hyperx->at(sw, destination);
  return std::get<DragonflyRoutes>(formula_).at(sw, destination);
}

std::uint32_t RouteTable::digit(SwitchId sw, NodeId node) const {
  const NodeId place = place_of_.empty() ? node : place_of_[node];
  const std::uint32_t shifted = tree_[sw].stage_power.quotient(place);
  return shifted - arity_divisor_.quotient(shifted) * arity_;
}

PortRange RouteTable::narrowed(PortRange candidates, SwitchId sw, NodeId source, NodeId destination) const {
  if (per_pair_) {
    const std::uint64_t pair = std::uint64_t{source} << 32 | destination;
    const std::uint64_t choice = (mix64(mix64(pair) ^ mix64(sw)) >> 32) * candidates.count >> 32;
    return {static_cast<std::uint16_t>(port(candidates, static_cast<std::uint32_t>(choice))), 1};
  }
  if (up_ != TreeUp::source_digit && up_ != TreeUp::digit_sum) return candidates;
  std::uint32_t choice = digit(sw, source);
  if (up_ == TreeUp::digit_sum) choice += digit(sw, destination);
  if (choice >= arity_) choice -= arity_;
  return {static_cast<std::uint16_t>(candidates.first + choice), 1};
}

}  // namespace headway
