// SPDX-License-Identifier: Apache-2.0
#include "headway/programs/node_bytes.h"

#include <algorithm>
#include <numeric>

namespace headway {

std::vector<NodeBytes> node_bytes(const CompiledProgram& program, std::span<const NodeId> nodes) {
  std::vector<std::uint32_t> ranks(program.ranks());
  std::iota(ranks.begin(), ranks.end(), 0U);
  std::ranges::stable_sort(ranks, {}, [&](std::uint32_t rank) { return nodes[rank]; });
  std::vector<NodeBytes> all;
  for (std::size_t first = 0, end = 0; first < ranks.size(); first = end) {
    NodeBytes& of_node = all.emplace_back(NodeBytes{.node = nodes[ranks[first]]});
    while (end < ranks.size() && nodes[ranks[end]] == of_node.node) ++end;
    const auto here = std::span(ranks).subspan(first, end - first);
    for (const std::uint32_t rank : here) {
      const RankTotals totals = program.totals(rank);
      of_node.sent += static_cast<double>(totals.sent);
      of_node.received += static_cast<double>(totals.received);
      if (here.size() == 1 && !program.sends_to_itself(rank)) continue;
      for (const std::uint32_t peer : here) {  // these messages do not enter the network
        const auto inside = static_cast<double>(program.bytes_between(rank, peer));
        of_node.sent -= inside;
        of_node.received -= inside;
      }
    }
  }
  return all;
}

}  // namespace headway
