// SPDX-License-Identifier: Apache-2.0
// Switch <s, o> and <s+1, o'> are linked iff their labels o, o' (n-1 digits, base k) agree in every digit but
// digit s; so a packet going up chooses one digit of its label per stage. Source: Petrini and Vanneschi,
// "k-ary n-trees: high performance networks for massively parallel architectures", IPPS 1997, section 2; in
// the notation of Gilabert et al., "On the influence of the selection function on the performance of
// fat-trees", Euro-Par 2006, section 2.
#include "headway/topology/tree.h"

namespace headway {

Graph build_tree(const TreeShape& shape, const Link& link) {
  const std::uint32_t k = shape.arity, n = shape.stages;
  std::uint32_t per_stage = 1;
  for (std::uint32_t s = 1; s < n; ++s) per_stage *= k;
  const std::uint32_t nodes = per_stage * k;
  Graph graph(nodes, std::vector<std::uint32_t>(std::size_t{n} * per_stage, 2 * k), shape);

  // place p = (p_{n-1} .. p_0) is DOWN port p_0 of switch <0, p_{n-1} .. p_1>
  for (NodeId node = 0; node < nodes; ++node) {
    const NodeId place = shape.place_of.empty() ? node : shape.place_of[node];
    graph.connect(graph.node_port(node), graph.port(place / k, place % k), link);
  }

  // UP port k+j of <s, o> leads to DOWN port o_s of <s+1, o'>, where o' is o with digit s set to j
  std::uint32_t power = 1;  // k^s
  for (std::uint32_t s = 0; s + 1 < n; ++s, power *= k) {
    for (std::uint32_t o = 0; o < per_stage; ++o) {
      const std::uint32_t digit = o / power % k;
      for (std::uint32_t j = 0; j < k; ++j) {
        const std::uint32_t above = o - digit * power + j * power;
        graph.connect(graph.port(s * per_stage + o, k + j), graph.port((s + 1) * per_stage + above, digit),
                      link);
      }
    }
  }
  return graph;
}

}  // namespace headway
