// SPDX-License-Identifier: Apache-2.0
#include "headway/topology/divisions.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace headway {
namespace {

using Visit = std::function<void(const Division&)>;

void visit_switches(const Graph& graph, const Visit& visit) {
  Division division{.parts = graph.switches(), .part_of = std::vector<std::uint32_t>(graph.switches())};
  std::iota(division.part_of.begin(), division.part_of.end(), 0U);
  division.name = [&](std::uint32_t part) { return "switch " + graph.switch_name(part); };
  visit(division);
}

void visit_groups(const Graph& graph, std::uint32_t switches_per_group, const Visit& visit) {
  Division division{.parts = graph.switches() / switches_per_group,
                    .part_of = std::vector<std::uint32_t>(graph.switches())};
  for (SwitchId sw = 0; sw < graph.switches(); ++sw) division.part_of[sw] = sw / switches_per_group;
  division.name = [](std::uint32_t part) { return fmt::format("group {}", part); };
  visit(division);
}

// The sets of nodes below the switches of a stage, with all switches of lower stages between them. Those of
// stage 0 are single switches, those of the last stage the whole network.
void visit_subtrees(const Graph& graph, const TreeShape& tree, const Visit& visit) {
  for (std::uint32_t top = 1; top + 1 < tree.stages(); ++top) {
    Division division{.parts = tree.switches(top) / tree.ways(top),
                      .part_of = std::vector<std::uint32_t>(graph.switches(), kNone)};
    for (std::uint32_t stage = 0; stage <= top; ++stage) {
      std::uint32_t subtrees = 1;  // of this stage in one of the top stage
      for (std::uint32_t above = stage + 1; above <= top; ++above) subtrees *= tree.levels[above].children;
      for (std::uint32_t o = 0; o < tree.switches(stage); ++o)
        division.part_of[tree.first_switch(stage) + o] = o / tree.ways(stage) / subtrees;
    }
    division.name = [top](std::uint32_t part) { return fmt::format("subtree {} of stage {}", part, top); };
    visit(division);
  }
}

// Along each dimension: every plane, and halves that begin at planes at even distances.
void visit_planes(const Graph& graph, const std::vector<std::uint32_t>& sides, std::uint32_t most_halves,
                  const Visit& visit) {
  std::uint32_t stride = 1;
  for (std::uint32_t d = 0; d < sides.size(); stride *= sides[d++]) {
    const std::uint32_t side = sides[d];
    const auto place = [&](SwitchId sw) { return sw / stride % side; };
    Division division{.parts = side, .part_of = std::vector<std::uint32_t>(graph.switches())};
    if (sides.size() > 1 && side > 1) {
      for (SwitchId sw = 0; sw < graph.switches(); ++sw) division.part_of[sw] = place(sw);
      division.name = [d](std::uint32_t part) { return fmt::format("plane {} of dimension {}", part, d); };
      visit(division);
    }
    if (side < 4) continue;  // a plane, or all but one
    division.parts = 1;
    const std::uint32_t halves = std::min(side, most_halves);
    for (std::uint32_t i = 0; i < halves; ++i) {
      const auto from = static_cast<std::uint32_t>(std::uint64_t{i} * side / halves);
      for (SwitchId sw = 0; sw < graph.switches(); ++sw)
        division.part_of[sw] = (place(sw) + side - from) % side < side / 2 ? 0 : kNone;
      division.name = [=](std::uint32_t) {
        return fmt::format("the half of dimension {} that begins at plane {}", d, from);
      };
      visit(division);
    }
  }
}

}  // namespace

void visit_divisions(const Graph& graph, std::uint32_t most_halves, const Visit& visit) {
  visit_switches(graph, visit);
  const Shape& shape = graph.shape();
  if (const auto* dragonfly = std::get_if<DragonflyShape>(&shape))
    visit_groups(graph, dragonfly->switches_per_group, visit);
  else if (const auto* plus = std::get_if<DragonflyPlusShape>(&shape))
    visit_groups(graph, plus->switches_per_group(), visit);
  else if (const auto* tree = std::get_if<TreeShape>(&shape))
    visit_subtrees(graph, *tree, visit);
  else if (const auto* grid = std::get_if<GridShape>(&shape))
    visit_planes(graph, grid->sides, most_halves, visit);
  else if (const auto* hyperx = std::get_if<HyperXShape>(&shape))
    visit_planes(graph, hyperx->sides, most_halves, visit);
}

}  // namespace headway
