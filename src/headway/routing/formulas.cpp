// SPDX-License-Identifier: Apache-2.0
#include "headway/routing/formulas.h"

#include <algorithm>
#include <utility>

#include "headway/topology/distances.h"

namespace headway {
namespace {

std::uint32_t stride_of(const std::vector<std::uint32_t>& sides, std::uint32_t dimension) {
  std::uint32_t stride = 1;
  for (std::uint32_t d = 0; d < dimension; ++d) stride *= sides[d];
  return stride;
}

}  // namespace

GridPlaces::GridPlaces(const std::vector<std::uint32_t>& sides, std::uint32_t dimension)
    : side_divisor_(sides[dimension]),
      stride_divisor_(stride_of(sides, dimension)),
      side_(sides[dimension]) {}

GridRoutes::GridRoutes(const GridShape& shape, const std::vector<std::uint32_t>& order, bool to_switches)
    : nodes_per_switch_(to_switches ? 1 : shape.nodes_per_switch),
      nodes_per_switch_divisor_(nodes_per_switch_),
      wraps_(shape.wraps),
      to_switches_(to_switches) {
  for (const std::uint32_t dimension : order)
    dimensions_.push_back(
        {GridPlaces(shape.sides, dimension), static_cast<std::uint16_t>(shape.lower_port(dimension))});
}

PortRange GridRoutes::at(SwitchId sw, std::uint32_t destination) const {
  const SwitchId to = nodes_per_switch_divisor_.quotient(destination);
  for (const Dimension& dimension : dimensions_) {
    const std::uint32_t from = dimension.places.place(sw), wanted = dimension.places.place(to);
    if (from == wanted) continue;
    bool higher = wanted > from;
    if (wraps_ && to_switches_ && dimension.places.side() == 2) return {dimension.lower_port, 2};
    if (wraps_) {
      const std::uint32_t up = higher ? wanted - from : wanted + dimension.places.side() - from;
      const std::uint32_t down = dimension.places.side() - up;
      higher = up < down || (up == down && goes_up(from, dimension, to, destination));
    }
    return {static_cast<std::uint16_t>(dimension.lower_port + (higher ? 1 : 0)), 1};
  }
  return {static_cast<std::uint16_t>(destination - to * nodes_per_switch_), 1};
}

// Where two switches are alone in a line, a node determines one of two links.
bool GridRoutes::by_switch() const {
  return !wraps_ || std::ranges::none_of(
                        dimensions_, [](const Dimension& dimension) { return dimension.places.side() == 2; });
}

// Choice: between opposite switches both directions are equally long. Even switches use the upward direction,
// so that both directions carry the same load. Two switches alone have two parallel links, which their
// destinations share.
bool GridRoutes::goes_up(std::uint32_t from, const Dimension& dimension, SwitchId to,
                         std::uint32_t destination) const {
  if (dimension.places.side() > 2) return from % 2 == 0;
  const std::uint32_t node = destination - to * nodes_per_switch_;
  return (from + number_among_parallel(dimensions_, to, node, nodes_per_switch_)) % 2 == 0;
}

HyperXRoutes::HyperXRoutes(const HyperXShape& shape, const std::vector<std::uint32_t>& order,
                           bool to_switches)
    : nodes_per_switch_(to_switches ? 1 : shape.nodes_per_switch),
      nodes_per_switch_divisor_(nodes_per_switch_),
      to_switches_(to_switches) {
  for (const std::uint32_t dimension : order)
    dimensions_.push_back({GridPlaces(shape.sides, dimension), shape.first_port(dimension),
                           shape.widths[dimension], Divisor(shape.widths[dimension])});
}

PortRange HyperXRoutes::at(SwitchId sw, std::uint32_t destination) const {
  const SwitchId to = nodes_per_switch_divisor_.quotient(destination);
  for (const Dimension& dimension : dimensions_) {
    const std::uint32_t from = dimension.places.place(sw), wanted = dimension.places.place(to);
    if (from == wanted) continue;
    const std::uint32_t others_before = wanted - (wanted > from ? 1 : 0);
    const std::uint32_t first = dimension.first_port + others_before * dimension.width;
    if (to_switches_) return {static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(dimension.width)};
    if (dimension.width == 1) return {static_cast<std::uint16_t>(first), 1};
    const std::uint32_t node = destination - to * nodes_per_switch_;
    const std::uint32_t number = number_among_parallel(dimensions_, to, node, nodes_per_switch_);
    const std::uint32_t copy = number - dimension.width_divisor.quotient(number) * dimension.width;
    return {static_cast<std::uint16_t>(first + copy), 1};
  }
  return {static_cast<std::uint16_t>(destination - to * nodes_per_switch_), 1};
}

bool HyperXRoutes::by_switch() const {
  return std::ranges::all_of(dimensions_, [](const Dimension& dimension) { return dimension.width == 1; });
}

std::vector<TreeCandidates> one_candidate(const TreeShape& shape) {
  return std::vector<TreeCandidates>(shape.stages());
}

std::vector<TreeCandidates> all_candidates(const TreeShape& shape) {
  std::vector<TreeCandidates> all;
  for (std::uint32_t s = 0; s < shape.stages(); ++s)
    all.push_back({std::max(1U, shape.up_ports(s)), shape.levels[s].links});
  return all;
}

TreeRoutes::TreeRoutes(const TreeShape& shape, const std::vector<TreeCandidates>& candidates)
    : place_of_(shape.place_of) {
  std::vector<Switch> switches;
  for (std::uint32_t s = 0; s < shape.stages(); ++s) {
    const TreeLevel& level = shape.levels[s];
    const std::uint32_t ways = shape.ways(s);
    const auto [up, down] = candidates[s];
    stages_.push_back({Divisor(shape.places_below(s) / level.children), Divisor(level.children),
                       Divisor(ways), level.children, level.links, shape.up_ports(s), candidates[s]});
    by_destination_ &= up == 1 && down == 1;
    by_switch_ &= up == std::max(1U, shape.up_ports(s)) && down == level.links;
    for (std::uint32_t o = 0; o < shape.switches(s); ++o) switches.push_back({s, o / ways});
  }
  switches_ = std::move(switches);
}

PortRange TreeRoutes::at(SwitchId sw, NodeId destination) const {
  const Switch& here = switches_[sw];
  const Stage& stage = stages_[here.stage];
  const NodeId to = place(destination);
  const std::uint32_t child = stage.below_child.quotient(to);  // numbered among all children of the stage
  const std::uint32_t subtree = stage.children_divisor.quotient(child);
  std::uint32_t first = stage.children * stage.links, ports = stage.up_ports, count = stage.candidates.up;
  if (subtree == here.subtree) {
    first = (child - subtree * stage.children) * stage.links;
    ports = stage.links;
    count = stage.candidates.down;
  }
  if (count < ports) {
    const std::uint32_t number = stage.ways.quotient(to) % ports;
    first += number - number % count;
  }
  return {static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(count)};
}

LeafRoutes::LeafRoutes(std::vector<Node> nodes, const std::vector<SwitchId>& leaves,
                       std::vector<PortRange> candidates)
    : leaves_(static_cast<std::uint32_t>(leaves.size())), nodes_(std::move(nodes)) {
  by_destination_ = std::ranges::none_of(candidates, [](const PortRange& range) { return range.count > 1; });
  for (std::uint32_t leaf = 0; leaf < leaves_; ++leaf)
    candidates[std::size_t{leaves[leaf]} * leaves_ + leaf] = kHere;
  candidates_ = std::move(candidates);
}

SwitchRoutes::SwitchRoutes(const Graph& graph, std::uint32_t nodes_per_switch)
    : switches_(graph.switches()), nodes_per_switch_(nodes_per_switch), nodes_divisor_(nodes_per_switch) {
  std::vector<std::uint16_t> port_of(std::size_t{switches_} * switches_);
  for (SwitchId to = 0; to < switches_; ++to) {
    const Distances distances = distances_to(graph, to);
    for (const SwitchId sw : distances.order) {
      if (sw == to) continue;
      const std::vector<std::uint16_t> ports = ports_nearer(graph, sw, distances);
      port_of[std::size_t{sw} * switches_ + to] = ports[(sw + to) % ports.size()];
    }
  }
  port_of_ = std::move(port_of);
}

PortRange SwitchRoutes::at(SwitchId sw, std::uint32_t destination) const {
  const SwitchId to = to_switches_ ? destination : nodes_divisor_.quotient(destination);
  if (to == sw) return {static_cast<std::uint16_t>(destination - to * nodes_per_switch_), 1};
  return {port_of_[std::size_t{sw} * switches_ + to], 1};
}

}  // namespace headway
