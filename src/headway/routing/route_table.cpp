// SPDX-License-Identifier: Apache-2.0
#include "headway/routing/route_table.h"

#include <algorithm>
#include <utility>

#include "headway/base/rng.h"
#include "headway/routing/port_sets.h"

namespace headway {

RouteTable RouteTable::from_table(std::uint32_t nodes, std::vector<PortRange> candidates,
                                  std::uint32_t switches_per_row) {
  RouteTable result;
  result.nodes_ = nodes;
  result.row_ = Divisor(switches_per_row);
  result.table_has_choices_ =
      std::ranges::any_of(candidates, [](const PortRange& range) { return range.count > 1; });
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

RouteTable RouteTable::from_leaves(LeafRoutes routes, std::uint32_t switches, std::uint32_t nodes,
                                   std::vector<std::uint16_t> ports, bool per_pair,
                                   std::uint64_t largest_table) {
  RouteTable result = by_formula(std::move(routes), switches, nodes, largest_table);
  result.ports_ = std::move(ports);
  result.per_pair_ = per_pair;
  result.carries_by_node_ = true;
  return result;
}

RouteTable RouteTable::tree_of_equal_paths(const TreeShape& shape, bool per_pair) {
  RouteTable result = tree(shape, TreeUp::random);
  result.per_pair_ = per_pair;
  result.carries_by_node_ = true;
  return result;
}

RouteTable RouteTable::tree(const TreeShape& shape, const std::vector<TreeCandidates>& candidates) {
  return by_formula(TreeRoutes(shape, candidates), shape.first_switch(shape.stages()), shape.nodes());
}

RouteTable RouteTable::tree(const TreeShape& shape, TreeUp up) {
  RouteTable result;
  result.up_ = up;
  const std::uint32_t arity = shape.arity();
  if (arity == 0) {
    result = tree(shape, up == TreeUp::destination_digit ? one_candidate(shape) : all_candidates(shape));
    result.up_ = up;
    return result;
  }
  result.kind_ = shape.place_of.empty() ? Kind::tree : Kind::renamed_tree;
  result.place_of_ = shape.place_of;
  result.arity_ = arity;
  if (up != TreeUp::destination_digit) {
    result.up_digit_ = 0;
    result.more_up_ = arity - 1;
  }
  result.arity_divisor_ = Divisor(arity);
  std::vector<TreeSwitch> switches;
  for (std::uint32_t s = 0; s < shape.stages(); ++s) {
    const std::uint32_t power = shape.ways(s);
    for (std::uint32_t o = 0; o < shape.switches(s); ++o) switches.push_back({Divisor(power), o / power});
  }
  result.tree_ = std::move(switches);
  return result;
}

std::uint64_t RouteTable::formula_bytes() const {
  return std::visit(
      [](const auto& formula) -> std::uint64_t {
        if constexpr (requires { formula.bytes(); })
          return formula.bytes();
        else
          return 0;
      },
      formula_);
}

RouteTable RouteTable::by_formula(Formula formula, std::uint32_t switches, std::uint32_t destinations,
                                  std::uint64_t largest_table) {
  RouteTable result;
  result.kind_ = Kind::formula;
  result.formula_ = std::move(formula);
  result.formula_lists_ports_ = std::visit(
      [](const auto& of) {
        if constexpr (requires { of.lists_ports(); })
          return of.lists_ports();
        else
          return false;
      },
      result.formula_);
  if (std::uint64_t{switches} * destinations > largest_table) return result;
  return table_of(result, switches, destinations).value_or(std::move(result));
}

// None if there are too many different lists of ports.
std::optional<RouteTable> RouteTable::table_of(const RouteTable& formula, std::uint32_t switches,
                                               std::uint32_t destinations) {
  std::vector<PortRange> candidates;
  candidates.reserve(std::size_t{switches} * destinations);
  PortSets lists;
  for (SwitchId sw = 0; sw < switches; ++sw)
    for (std::uint32_t to = 0; to < destinations; ++to) {
      std::optional<PortRange> range = formula.at_formula(sw, to);
      if (formula.formula_lists_ports_ && range->count > 1) {
        std::vector<std::uint16_t> ports;
        for (std::uint32_t i = 0; i < range->count; ++i)
          ports.push_back(static_cast<std::uint16_t>(formula.port_by_formula(sw, to, i)));
        range = lists.range_of(ports);
        if (!range) return std::nullopt;
      }
      candidates.push_back(*range);
    }
  RouteTable table = from_table(destinations, std::move(candidates));
  table.ports_ = lists.ports();
  table.formula_ = formula.formula_;
  return table;
}

bool RouteTable::by_destination() const {
  if (function() == Kind::table) return !table_has_choices_;
  if (function() != Kind::formula) return more_up_ == 0;
  return std::visit(
      [this](const auto& formula) {
        if constexpr (requires { formula.by_destination(); })
          return formula.by_destination();
        else
          return !formula_lists_ports_;  // they give nodes one port, or list several
      },
      formula_);
}

bool RouteTable::by_switch() const {
  if (std::holds_alternative<std::monostate>(formula_))
    return function() != Kind::table && more_up_ != 0;  // all up ports are candidates for any destination
  return std::visit(
      [](const auto& formula) {
        if constexpr (requires { formula.by_switch(); })
          return formula.by_switch();
        else
          return false;
      },
      formula_);
}

void RouteTable::add_short_routes(NodeId first, std::vector<ShortRoute> routes) {
  function_ = kind_;
  kind_ = Kind::with_short_routes;
  first_short_ = first;
  short_routes_ = std::move(routes);
}

PortRange RouteTable::with_short_route(SwitchId sw, NodeId destination) const {
  if (destination < first_short_) return at(function_, sw, destination);
  const ShortRoute& route = short_routes_[destination - first_short_];
  if (sw == route.sw) return {route.port, 1};
  return sw == route.from ? PortRange{route.port_from, 1} : PortRange{0, 0};
}

PortRange RouteTable::at_formula(SwitchId sw, NodeId destination) const {
  if (const auto* grid = std::get_if<GridRoutes>(&formula_)) return grid->at(sw, destination);
  if (const auto* hyperx = std::get_if<HyperXRoutes>(&formula_)) return hyperx->at(sw, destination);
  if (const auto* tree = std::get_if<TreeRoutes>(&formula_)) return tree->at(sw, destination);
  if (const auto* plus = std::get_if<DragonflyPlusRoutes>(&formula_)) return plus->at(sw, destination);
  if (const auto* leaves = std::get_if<LeafRoutes>(&formula_)) return leaves->at(sw, destination);
  if (const auto* switches = std::get_if<SwitchRoutes>(&formula_)) return switches->at(sw, destination);
  return std::get<DragonflyRoutes>(formula_).at(sw, destination);
}

void RouteTable::use_salt(std::uint64_t salt) {
  salt_ = salt;
  mixed_salt_ = salt == 0 ? 0 : mix64(salt);
}

std::uint32_t RouteTable::port_by_formula(SwitchId sw, NodeId destination, std::uint32_t number) const {
  if (const auto* plus = std::get_if<DragonflyPlusRoutes>(&formula_))
    return plus->port(sw, destination, number);
  return std::get<DragonflyRoutes>(formula_).port(sw, destination, number);
}

std::uint32_t RouteTable::way(SwitchId sw, NodeId node) const {
  if (const auto* tree = std::get_if<TreeRoutes>(&formula_)) return tree->way(sw, node);
  return tree_[sw].stage_power.quotient(place_of_.empty() ? node : place_of_[node]);
}

PortRange RouteTable::narrowed(PortRange candidates, SwitchId sw, NodeId source, NodeId destination) const {
  if (per_pair_) {
    const std::uint64_t choice = hash(sw, source, destination, 0) * candidates.count >> 32;
    return {static_cast<std::uint16_t>(port(sw, destination, candidates, static_cast<std::uint32_t>(choice))),
            1};
  }
  if (!by_source()) return candidates;
  std::uint32_t choice = way(sw, source);
  if (up_ == TreeUp::digit_sum) choice += way(sw, destination);
  return {static_cast<std::uint16_t>(candidates.first + choice % candidates.count), 1};
}

}  // namespace headway
