// SPDX-License-Identifier: Apache-2.0
#include "headway/routing/grids.h"

#include <numeric>
#include <utility>

namespace headway {
namespace {

// Classes of links in tori: 0 to and from nodes; then two for each dimension, the second for links across the
// dateline.
std::uint32_t dimension_of(std::uint32_t link_class) { return (link_class - 1) / 2; }
bool crosses_dateline(std::uint32_t link_class) { return link_class != 0 && link_class % 2 == 0; }

std::vector<std::uint8_t> torus_classes(const Graph& graph, const GridShape& shape) {
  std::vector<std::uint8_t> class_of(graph.ports(), 0);
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

}  // namespace

std::vector<std::uint32_t> ascending(std::size_t dimensions) {
  std::vector<std::uint32_t> order(dimensions);
  std::iota(order.begin(), order.end(), 0U);
  return order;
}

RouteTable to_nodes(const Graph& graph, RouteTable::Formula formula) {
  return RouteTable::by_formula(std::move(formula), graph.switches(), graph.nodes());
}

// The level is twice the number of waypoints that a packet has passed, plus 1 if it has crossed the dateline
// of its current dimension.
LaneRules torus_lanes(const Graph& graph, const GridShape& shape, std::uint32_t parts_of_path) {
  const auto classes = static_cast<std::uint32_t>(1 + 2 * shape.sides.size());
  using Step = LaneRules::Step;
  const auto step = [](std::uint8_t level, std::uint32_t came, std::uint32_t goes) {
    if (goes == 0) return Step{static_cast<std::uint8_t>(level - level % 2), level};
    const bool same = came != 0 && dimension_of(came) == dimension_of(goes);
    const bool crossed = (same && level % 2 == 1) || crosses_dateline(goes);
    const auto next = static_cast<std::uint8_t>(level - level % 2 + (crossed ? 1 : 0));
    return Step{next, next};
  };
  return LaneRules(2 * parts_of_path, 2 * parts_of_path, classes, torus_classes(graph, shape), step)
      .breaking_rings();
}

}  // namespace headway
