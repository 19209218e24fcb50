// SPDX-License-Identifier: Apache-2.0
#include "headway/topology/extent.h"

#include <algorithm>
#include <vector>

#include "headway/topology/distances.h"

namespace headway {
namespace {

// Links from the switches of the first half to the others.
template <class InFirstHalf>
std::uint64_t links_across(const Graph& graph, InFirstHalf&& in_first_half) {
  std::uint64_t links = 0;
  for (SwitchId sw = 0; sw < graph.switches(); ++sw)
    if (in_first_half(sw))
      for_each_link_from(graph, sw, [&](PortId, SwitchId other) { links += in_first_half(other) ? 0 : 1; });
  return links;
}

class Bisection {
 public:
  explicit Bisection(const Graph& graph) : graph_(graph) {}
  using Links = std::optional<std::uint64_t>;

  Links operator()(const SingleSwitchShape&) const { return of_nodes(); }

  Links operator()(const TreeShape& tree) const {
    if (tree.stages() == 1) return of_nodes();
    if (tree.levels.back().children % 2 != 0) return std::nullopt;
    Links fewest;
    for (std::uint32_t stage = 0; stage + 1 < tree.stages(); ++stage) {
      std::uint64_t up = 0;
      const SwitchId end = tree.first_switch(stage) + tree.switches(stage) / 2;
      for (SwitchId sw = tree.first_switch(stage); sw < end; ++sw)
        for (std::uint32_t local = tree.down_ports(stage); local < graph_.radix(sw); ++local)
          up += graph_.peer_of(graph_.port(sw, local)) != kNone ? 1 : 0;
      fewest = std::min(up, fewest.value_or(up));
    }
    return fewest;
  }

  Links operator()(const GridShape& grid) const {
    return across_dimension(grid.sides, [](std::size_t, std::uint64_t) { return 1; });
  }
  Links operator()(const HyperXShape& grid) const {
    return across_dimension(grid.sides, [&](std::size_t dimension, std::uint64_t side) {
      return grid.widths[dimension] * (side / 2) * (side - side / 2);
    });
  }

  Links operator()(const DragonflyShape& shape) const {
    return of_groups(shape.groups, shape.switches_per_group, shape.switches_per_group % 2 == 0,
                     [&](std::uint32_t here) { return here < shape.switches_per_group / 2; });
  }
  Links operator()(const DragonflyPlusShape& shape) const {
    return of_groups(shape.groups, shape.switches_per_group(), shape.leaves % 2 == 0 && shape.spines % 2 == 0,
                     [&](std::uint32_t here) {
                       return here < shape.leaves ? here < shape.leaves / 2
                                                  : here - shape.leaves < shape.spines / 2;
                     });
  }

  template <class WithoutHalves>
  Links operator()(const WithoutHalves&) const {
    return std::nullopt;
  }

 private:
  Links of_nodes() const { return graph_.nodes() % 2 == 0 ? Links(graph_.nodes() / 2) : std::nullopt; }

  // `links(dimension, side)` is the number of links of one line from its lower half to its upper half.
  template <class LinksOfLine>
  Links across_dimension(const std::vector<std::uint32_t>& sides, LinksOfLine&& links) const {
    std::optional<std::size_t> narrowest;
    std::uint64_t fewest = 0, stride = 1;
    for (std::size_t d = 0; d < sides.size(); ++d) {
      if (sides[d] == 1) continue;
      const std::uint64_t across = links(d, sides[d]) * (graph_.switches() / sides[d]);
      if (narrowest && fewest <= across) continue;
      narrowest = d;
      fewest = across;
    }
    if (!narrowest || sides[*narrowest] % 2 != 0) return std::nullopt;
    for (std::size_t d = 0; d < *narrowest; ++d) stride *= sides[d];
    const std::uint32_t side = sides[*narrowest];
    return links_across(graph_, [&](SwitchId sw) { return sw / stride % side < side / 2; });
  }

  template <class InLowerHalf>
  Links of_groups(std::uint32_t groups, std::uint32_t switches, bool can_be_split,
                  InLowerHalf&& in_lower_half) const {
    const auto cut = [&](bool lower_half_below) {
      return links_across(graph_, [&](SwitchId sw) {
        const std::uint32_t group = sw / switches;
        if (groups % 2 == 0 || group != groups / 2) return group < groups / 2;
        return in_lower_half(sw % switches) == lower_half_below;
      });
    };
    if (groups % 2 == 0) return cut(true);
    return can_be_split ? Links(std::min(cut(true), cut(false))) : std::nullopt;
  }

  const Graph& graph_;
};

}  // namespace

std::uint64_t links_between_switches(const Graph& graph) {
  std::uint64_t links = 0;
  for (SwitchId sw = 0; sw < graph.switches(); ++sw)
    for_each_link_from(graph, sw, [&](PortId output, SwitchId) {
      const PortId input = graph.peer_of(output);
      links += graph.peer_of(input) != output || output < input ? 1 : 0;
    });
  return links;
}

std::optional<std::uint32_t> diameter(const Graph& graph) {
  const std::vector<SwitchId> ends = switches_with_nodes(graph, switch_to);
  std::uint32_t most = 0;
  for (const SwitchId from : switches_with_nodes(graph, switch_from)) {
    const Distances distances = distances_from(graph, from);
    for (const SwitchId to : ends) {
      if (!distances.has_path(to)) return std::nullopt;
      most = std::max(most, distances.links[to]);
    }
  }
  return most;
}

std::optional<std::uint64_t> bisection(const Graph& graph) {
  return std::visit(Bisection(graph), graph.shape());
}

}  // namespace headway
