// SPDX-License-Identifier: Apache-2.0
#include "headway/routing/direct.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace headway {
namespace {

using Step = LaneRules::Step;

constexpr std::uint8_t kToNode = 0;  // class of links to and from nodes

// Classes of links in dragonflies and dragonflies+. In the latter, local links lead up to spines or down to
// leaves.
constexpr std::uint8_t kLocal = 1, kGlobal = 2, kDragonflyClasses = 3;
constexpr std::uint8_t kUp = kLocal, kDown = 3, kDragonflyPlusClasses = 4;

// [port] `class_of(switch, local port)`, or kToNode for an adapter.
template <class ClassOf>
std::vector<std::uint8_t> link_classes(const Graph& graph, ClassOf&& class_of) {
  std::vector<std::uint8_t> classes(graph.ports(), kToNode);
  for (PortId port = 0; port < graph.switch_ports(); ++port)
    classes[port] = class_of(graph.switch_of(port), graph.local(port));
  return classes;
}

// The level counts the global links that a packet has crossed and, with progressive decisions, a second local
// link in its source's group. Within a level, packets wait only in the order local, global.
LaneRules dragonfly_lanes(const Graph& graph, const DragonflyShape& shape, std::uint32_t lanes) {
  const auto class_of = [&](SwitchId, std::uint32_t local) {
    if (local < shape.nodes_per_switch) return kToNode;
    return local < shape.first_global_port() ? kLocal : kGlobal;
  };
  const auto last = static_cast<std::uint8_t>(lanes - 1);
  const auto step = [last](std::uint8_t level, std::uint32_t came, std::uint32_t goes) {
    const std::uint8_t next = std::min<std::uint8_t>(level + 1, last);
    if (goes == kGlobal) return Step{level, next};
    if (goes == kLocal && came == kLocal) return Step{next, next};
    return goes == kLocal ? Step{level, level} : Step{0, level};
  };
  return {lanes, lanes, kDragonflyClasses, link_classes(graph, class_of), step};
}

// Within a level, packets wait only in the order up, global, down. A packet moves to the next level when it
// takes a global link after another one, or an up link or a global link after a down link (Shpiner et al.,
// HiPINEB 2017, section IV).
LaneRules dragonfly_plus_lanes(const Graph& graph, const DragonflyPlusShape& shape, std::uint32_t lanes) {
  if (lanes == 1) return {};
  const auto class_of = [&](SwitchId sw, std::uint32_t local) {
    if (sw % shape.switches_per_group() < shape.leaves) return local < shape.nodes_per_leaf ? kToNode : kUp;
    return local < shape.leaves ? kDown : kGlobal;
  };
  const auto last = static_cast<std::uint8_t>(lanes - 1);
  const auto step = [last](std::uint8_t level, std::uint32_t came, std::uint32_t goes) {
    if (goes == kToNode) return Step{0, level};
    const bool again = (came == kGlobal || came == kDown) && goes != kDown;
    const std::uint8_t next = again ? std::min<std::uint8_t>(level + 1, last) : level;
    return Step{next, next};
  };
  return {lanes, lanes, kDragonflyPlusClasses, link_classes(graph, class_of), step};
}

// For slim flies: the level counts the links between switches that a packet has crossed.
LaneRules lane_per_link(const Graph& graph, std::uint32_t nodes_per_switch, std::uint32_t lanes) {
  const auto class_of = [&](SwitchId, std::uint32_t local) {
    return local < nodes_per_switch ? kToNode : kLocal;
  };
  const auto last = static_cast<std::uint8_t>(lanes - 1);
  const auto step = [last](std::uint8_t level, std::uint32_t, std::uint32_t goes) {
    if (goes == kToNode) return Step{0, level};
    return Step{level, std::min<std::uint8_t>(level + 1, last)};
  };
  return {lanes, lanes, 2, link_classes(graph, class_of), step};
}

// Classes of links in tori: 0 to and from nodes; then two for each dimension, the second for links across the
// dateline.
std::uint32_t dimension_of(std::uint32_t link_class) { return (link_class - 1) / 2; }
bool crosses_dateline(std::uint32_t link_class) { return link_class != 0 && link_class % 2 == 0; }

std::vector<std::uint8_t> torus_classes(const Graph& graph, const GridShape& shape) {
  std::vector<std::uint8_t> class_of(graph.ports(), kToNode);
  for (std::uint32_t d = 0; d < shape.sides.size(); ++d) {
    const GridPlaces places(shape.sides, d);
    for (SwitchId sw = 0; sw < graph.switches(); ++sw) {
      const std::uint32_t place = places.place(sw);
      const auto straight = static_cast<std::uint8_t>(1 + 2 * d);
      class_of[graph.port(sw, shape.lower_port(d))] = straight + (place == 0 ? 1 : 0);
      class_of[graph.port(sw, shape.higher_port(d))] = straight + (place == shape.sides[d] - 1 ? 1 : 0);
    }
  }
  return class_of;
}

// The level is twice the number of waypoints that a packet has passed, plus 1 if it has crossed the dateline
// of its current dimension.
LaneRules torus_lanes(const Graph& graph, const GridShape& shape, std::uint32_t parts_of_path) {
  const auto classes = static_cast<std::uint32_t>(1 + 2 * shape.sides.size());
  const auto step = [](std::uint8_t level, std::uint32_t came, std::uint32_t goes) {
    if (goes == kToNode) return Step{static_cast<std::uint8_t>(level - level % 2), level};
    const bool same = came != kToNode && dimension_of(came) == dimension_of(goes);
    const bool crossed = (same && level % 2 == 1) || crosses_dateline(goes);
    const auto next = static_cast<std::uint8_t>(level - level % 2 + (crossed ? 1 : 0));
    return Step{next, next};
  };
  return LaneRules(2 * parts_of_path, 2 * parts_of_path, classes, torus_classes(graph, shape), step)
      .breaking_rings();
}

// One lane before the waypoint, and one after it.
LaneRules lane_per_part_of_path() { return LaneRules::lane_of_level(2).with_waypoints({1, 1}); }

}  // namespace

std::vector<std::uint32_t> ascending(std::size_t dimensions) {
  std::vector<std::uint32_t> order(dimensions);
  std::iota(order.begin(), order.end(), 0U);
  return order;
}

RouteTable to_nodes(const Graph& graph, RouteTable::Formula formula) {
  return RouteTable::by_formula(std::move(formula), graph.switches(), graph.nodes());
}

Routes with_datelines(const Graph& graph, RouteTable table) {
  return {std::move(table), torus_lanes(graph, std::get<GridShape>(graph.shape()), 1)};
}

bool has_minimal_routes(const Shape& shape) {
  return std::holds_alternative<DragonflyShape>(shape) || std::holds_alternative<DragonflyPlusShape>(shape) ||
         std::holds_alternative<SlimFlyShape>(shape);
}

Routes minimal_routes(const Graph& graph) {
  if (const auto* shape = std::get_if<DragonflyPlusShape>(&graph.shape()))
    return {to_nodes(graph, DragonflyPlusRoutes(*shape, false)), dragonfly_plus_lanes(graph, *shape, 1)};
  if (const auto* shape = std::get_if<SlimFlyShape>(&graph.shape()))
    return {to_nodes(graph, SwitchRoutes(graph, shape->nodes_per_switch)),
            lane_per_link(graph, shape->nodes_per_switch, 2)};
  const auto& shape = std::get<DragonflyShape>(graph.shape());
  return {to_nodes(graph, DragonflyRoutes(shape, false)), dragonfly_lanes(graph, shape, 2)};
}

bool has_choices_and_escape(const Shape& shape) {
  return std::holds_alternative<GridShape>(shape) || std::holds_alternative<HyperXShape>(shape);
}

Routes routes_with_escape(const Graph& graph) {
  Routes routes;
  if (const auto* hyperx = std::get_if<HyperXShape>(&graph.shape())) {
    routes.table = to_nodes(graph, HyperXRoutes(*hyperx, ascending(hyperx->sides.size()), false));
    routes.choices.emplace(*hyperx);
    return routes;
  }
  const auto& grid = std::get<GridShape>(graph.shape());
  routes.table = to_nodes(graph, GridRoutes(grid, ascending(grid.sides.size()), false));
  if (grid.wraps) routes.lanes = torus_lanes(graph, grid, 1);
  routes.choices.emplace(grid);
  return routes;
}

bool has_detours(const Shape& shape) {
  return has_minimal_routes(shape) || std::holds_alternative<HyperXShape>(shape) ||
         std::holds_alternative<GridShape>(shape);
}
bool has_wide_parts(const Shape& shape) {
  return std::holds_alternative<DragonflyShape>(shape) || std::holds_alternative<DragonflyPlusShape>(shape);
}

Routes routes_with_detours(const Graph& graph, Detour kind, std::uint32_t bias) {
  Detours detours{.kind = kind, .bias = bias};
  if (has_wide_parts(graph.shape())) detours.watched = kGlobal;
  const auto over_waypoints = [&](std::uint32_t switches_of_each, RouteTable::Formula to_waypoint,
                                  RouteTable::Formula formula, LaneRules lanes) -> Routes {
    std::vector<std::uint32_t> waypoint_of(graph.switches());
    for (SwitchId sw = 0; sw < graph.switches(); ++sw) waypoint_of[sw] = sw / switches_of_each;
    detours.waypoint_of = std::move(waypoint_of);
    detours.waypoints = graph.switches() / switches_of_each;
    detours.to_waypoint = RouteTable::by_formula(std::move(to_waypoint), graph.switches(), detours.waypoints);
    return {to_nodes(graph, std::move(formula)), std::move(lanes), std::move(detours)};
  };
  const bool progressive = kind == Detour::progressive;
  if (const auto* shape = std::get_if<DragonflyShape>(&graph.shape()))
    return over_waypoints(shape->switches_per_group, DragonflyRoutes(*shape, true),
                          DragonflyRoutes(*shape, false),
                          dragonfly_lanes(graph, *shape, progressive ? 4 : 3));
  if (const auto* shape = std::get_if<DragonflyPlusShape>(&graph.shape()))
    return over_waypoints(shape->switches_per_group(), DragonflyPlusRoutes(*shape, true),
                          DragonflyPlusRoutes(*shape, false),
                          dragonfly_plus_lanes(graph, *shape, progressive ? 3 : 2));
  if (const auto* shape = std::get_if<HyperXShape>(&graph.shape())) {
    const auto order = ascending(shape->sides.size());
    return over_waypoints(1, HyperXRoutes(*shape, order, true), HyperXRoutes(*shape, order, false),
                          lane_per_part_of_path());
  }
  if (const auto* shape = std::get_if<SlimFlyShape>(&graph.shape())) {
    const SwitchRoutes routes(graph, shape->nodes_per_switch);
    return over_waypoints(1, routes.to_switches(), routes, lane_per_link(graph, shape->nodes_per_switch, 4));
  }
  const auto& shape = std::get<GridShape>(graph.shape());
  const auto order = ascending(shape.sides.size());
  return over_waypoints(
      1, GridRoutes(shape, order, true), GridRoutes(shape, order, false),
      shape.wraps ? torus_lanes(graph, shape, 2).with_waypoints({2, 2, 2, 2}) : lane_per_part_of_path());
}

}  // namespace headway
