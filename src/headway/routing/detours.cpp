// SPDX-License-Identifier: Apache-2.0
// Minimal routing in networks of small diameter, and non-minimal routing in these and in grids.
//
// Minimal: in dragonflies, at most one local link to a switch with a link to the destination's group, one
// global link, and one local link there (Kim, Dally, Scott and Abts, ISCA 2008, section 4.1); in
// dragonflies+, up to a spine, over one global link, and down; in slim flies, at most two links. Several
// links between two groups are shared by the destinations or, where packets decide on detours, by load. In a
// dragonfly, a packet changes to the next lane with every global link (Kim et al., section 4); in a slim fly,
// with every link between switches (Besta and Hoefler, SC 2014, section IV-D); in a dragonfly+ it stays in
// one lane.
//
// Non-minimal: packets go over a random waypoint, always or when this is faster according to the queues
// (Valiant, "A scheme for fast parallel communication", 1982). In grids and HyperX the waypoint is a switch;
// dimensions are in ascending order before and after it, in separate lanes. In slim flies it is a switch, and
// the lane follows the number of links. In dragonflies and dragonflies+ it is a group, and the lane follows
// the number of global links.
#include <algorithm>
#include <utility>

#include "headway/routing/grids.h"
#include "headway/routing/routing.h"

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

// One lane before the waypoint, and one after it.
LaneRules lane_per_part_of_path() { return LaneRules::lane_of_level(2).with_waypoints({1, 1}); }

bool has_groups(const Shape& shape) {
  return std::holds_alternative<DragonflyShape>(shape) || std::holds_alternative<DragonflyPlusShape>(shape);
}
// Links between two groups; 0 without groups.
std::uint32_t links_of_groups(const Shape& shape) {
  if (const auto* dragonfly = std::get_if<DragonflyShape>(&shape)) return dragonfly->copies();
  if (const auto* plus = std::get_if<DragonflyPlusShape>(&shape)) return plus->copies();
  return 0;
}
bool has_small_diameter(const Shape& shape) {
  return has_groups(shape) || std::holds_alternative<SlimFlyShape>(shape);
}

class Minimal final : public Routing {
 public:
  bool single_path() const override { return true; }
  bool routes(const Shape& shape) const override { return has_small_diameter(shape); }

 private:
  Routes routes_of(const Graph& graph) const override {
    if (const auto* shape = std::get_if<DragonflyPlusShape>(&graph.shape()))
      return {to_nodes(graph, DragonflyPlusRoutes(*shape, GroupRoutes::to_node)),
              dragonfly_plus_lanes(graph, *shape, 1)};
    if (const auto* shape = std::get_if<SlimFlyShape>(&graph.shape()))
      return {to_nodes(graph, SwitchRoutes(graph, shape->nodes_per_switch)),
              lane_per_link(graph, shape->nodes_per_switch, 2)};
    const auto& shape = std::get<DragonflyShape>(graph.shape());
    return {to_nodes(graph, DragonflyRoutes(shape, GroupRoutes::to_node)), dragonfly_lanes(graph, shape, 2)};
  }
};

Routes routes_with_detours(const Graph& graph, Detour kind, std::uint32_t bias) {
  Detours detours{.kind = kind, .bias = bias};
  if (has_groups(graph.shape())) detours.watched = kGlobal;
  // Choice: in a HyperX, packets draw one of parallel links or take that of their destination.
  detours.by_load = links_of_groups(graph.shape()) > 1 && kind != Detour::always;
  const GroupRoutes to_node = detours.by_load ? GroupRoutes::to_any_node : GroupRoutes::to_node;
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
    return over_waypoints(shape->switches_per_group, DragonflyRoutes(*shape, GroupRoutes::to_any_group),
                          DragonflyRoutes(*shape, to_node),
                          dragonfly_lanes(graph, *shape, progressive ? 4 : 3));
  if (const auto* shape = std::get_if<DragonflyPlusShape>(&graph.shape()))
    return over_waypoints(shape->switches_per_group(), DragonflyPlusRoutes(*shape, GroupRoutes::to_any_group),
                          DragonflyPlusRoutes(*shape, to_node),
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

enum class Knowledge { local, global };
constexpr auto names_in_specs(Knowledge) { return name_list("local", "global"); }

template <Detour kKind>
class WithDetours final : public Routing {
 public:
  void describe(Parameters& parameters) override {
    if (kKind == Detour::local)
      parameters.field(
          {.name = "knowledge",
           .help = "queues that the source's switch compares: at its own outputs (UGAL-L), or in "
                   "a dragonfly at the global links of both paths, wherever they are (UGAL-G)"},
          knowledge_);
    if (kKind != Detour::always)
      parameters.field({.name = "bias",
                        .help = "number of packets added to the queue of the detour before queues are "
                                "multiplied by the lengths of the paths; favours the direct path; with "
                                "switch.cell, the cells of so many full packets",
                        .bounds = Bounds::from(0, 1'000'000)},
                       bias_);
  }
  bool single_path() const override { return false; }
  bool routes(const Shape& shape) const override {
    if (kKind == Detour::progressive) return has_groups(shape);
    return has_small_diameter(shape) || std::holds_alternative<HyperXShape>(shape) ||
           std::holds_alternative<GridShape>(shape);
  }

 private:
  Routes routes_of(const Graph& graph) const override {
    return routes_with_detours(graph, knowledge_ == Knowledge::global ? Detour::global : kKind,
                               static_cast<std::uint32_t>(bias_));
  }

  Knowledge knowledge_ = Knowledge::local;
  std::int64_t bias_ = 0;
};

}  // namespace

Entry<Routing> minimal() {
  return {
      "minimal",
      "the shortest path in slim flies; in dragonflies and dragonflies+ the shortest that crosses one link "
      "between groups, and of several such paths the one that the destination determines, so that parallel "
      "links carry equal shares",
      "Kim et al., ISCA 2008, section 4.1; Besta and Hoefler, SC 2014, section IV",
      make_entry<Routing, Minimal>};
}
Entry<Routing> valiant() {
  return {"valiant",
          "every packet goes by a random waypoint, a switch or a group of switches, and to a group over a "
          "random one of parallel links",
          "Valiant 1982; Kim et al., ISCA 2008, section 4.1",
          make_entry<Routing, WithDetours<Detour::always>>};
}
Entry<Routing> ugal() {
  return {"ugal",
          "the switch of the source sends a packet directly or by a random waypoint, over the path with "
          "the smaller product of queue length and path length; of parallel links between two groups it "
          "takes that with the fewest packets ahead",
          "Singh 2005; Kim et al., ISCA 2008, section 4", make_entry<Routing, WithDetours<Detour::local>>};
}
Entry<Routing> par() {
  return {"par", "like ugal, but every switch of the source's group can still send the packet on its detour",
          "Jiang, Kim and Dally, ISCA 2009, section 3",
          make_entry<Routing, WithDetours<Detour::progressive>>};
}

}  // namespace headway
