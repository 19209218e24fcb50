// SPDX-License-Identifier: Apache-2.0
#include "headway/routing/routes_left.h"

#include <utility>
#include <vector>

#include "headway/base/error.h"
#include "headway/routing/port_sets.h"

namespace headway {
namespace {

bool reaches_all(const Graph& graph, const RouteTable& table) {
  for (SwitchId sw = 0; sw < graph.switches(); ++sw)
    for (NodeId node = 0; node < graph.nodes(); ++node)
      if (table.at(sw, node).count == 0) return false;
  return true;
}

}  // namespace

RouteTable with_routes_before(const Graph& graph, const RouteTable& left, const RouteTable& before) {
  if (reaches_all(graph, left)) return left;
  std::vector<PortRange> candidates(std::size_t{graph.switches()} * graph.nodes());
  PortSets sets;
  std::vector<std::uint16_t> ports;
  for (SwitchId sw = 0; sw < graph.switches(); ++sw)
    for (NodeId node = 0; node < graph.nodes(); ++node) {
      const RouteTable& table = left.at(sw, node).count == 0 ? before : left;
      const PortRange range = table.at(sw, node);
      ports.clear();
      for (std::uint32_t i = 0; i < range.count; ++i)
        ports.push_back(static_cast<std::uint16_t>(table.port(sw, node, range, i)));
      const std::optional<PortRange> stored = sets.range_of(ports);
      if (!stored)
        throw SpecError("routing.reroute_after", "events leave too many different sets of paths",
                        "let fewer links go down at the same time");
      candidates[std::size_t{sw} * graph.nodes() + node] = *stored;
    }
  RouteTable result =
      RouteTable::from_sets(graph.nodes(), std::move(candidates), sets.ports(), left.is_per_pair());
  result.take_hash_of(left);
  return result;
}

}  // namespace headway
