// SPDX-License-Identifier: Apache-2.0
// A packet that goes up from stage s chooses one parent. The number of this parent becomes a digit of the
// next switch's way, and the number of the child among its siblings is removed from the subtree's number.
// Sources: Zahavi, "D-Mod-K routing providing non-blocking traffic for shift permutations on real life fat
// trees", CCIT report 776, 2010, section 3; Petrini and Vanneschi, "k-ary n-trees: high performance networks
// for massively parallel architectures", IPPS 1997, section 2, in the notation of Gilabert et al., "On the
// influence of the selection function on the performance of fat-trees", Euro-Par 2006, section 2.
#include "headway/topology/tree.h"

namespace headway {
namespace {

void connect_to_parents(Graph& graph, const TreeShape& shape, std::uint32_t stage, const Link& link) {
  const TreeLevel& above = shape.levels[stage + 1];
  const std::uint32_t ways = shape.ways(stage), down = shape.down_ports(stage);
  const SwitchId first = shape.first_switch(stage), first_above = shape.first_switch(stage + 1);
  for (std::uint32_t o = 0; o < shape.switches(stage); ++o) {
    const std::uint32_t subtree = o / ways, child = subtree % above.children;
    for (std::uint32_t j = 0; j < above.parents; ++j) {
      const SwitchId parent =
          first_above + o % ways + ways * (j + above.parents * (subtree / above.children));
      for (std::uint32_t i = 0; i < above.links; ++i)
        graph.connect(graph.port(first + o, down + i * above.parents + j),
                      graph.port(parent, child * above.links + i), link);
    }
  }
}

}  // namespace

Graph build_tree(const TreeShape& shape, const Link& link) {
  std::vector<std::uint32_t> radix;
  for (std::uint32_t s = 0; s < shape.stages(); ++s)
    radix.insert(radix.end(), shape.switches(s), shape.radix(s));
  Graph graph(shape.nodes(), radix, shape);
  const std::uint32_t of_leaf = shape.levels.front().children;
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    const NodeId place = shape.place(node);
    graph.connect(graph.node_port(node), graph.port(place / of_leaf, place % of_leaf), link);
  }
  for (std::uint32_t s = 0; s + 1 < shape.stages(); ++s) connect_to_parents(graph, shape, s, link);
  return graph;
}

}  // namespace headway
