// SPDX-License-Identifier: Apache-2.0
#include "headway/topology/link_faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "headway/base/error.h"
#include "headway/base/rng.h"
#include "headway/topology/distances.h"
#include "headway/topology/members.h"
#include "headway/topology/named_link.h"

namespace headway {
namespace {

constexpr std::size_t kMostListed = 10;
constexpr std::int64_t kMillion = 1'000'000;

// One end of each chosen link. The drawn links depend only on the graph and the seed.
std::vector<PortId> links_of(const ChosenLinks& chosen, const Graph& graph, const std::string& key,
                             Mistakes& mistakes) {
  std::vector<PortId> links;
  if (!chosen.at.empty()) {
    const NumberedNames switches = switches_of(graph);
    for (const std::string& text : chosen.at)
      if (const auto link = named_link(graph, switches, text, LinksToNodes::refused, key + ".at", mistakes))
        links.push_back(*link);
  }
  std::vector<PortId> all;
  for (PortId output = 0; output < graph.switch_ports(); ++output)
    if (const PortId input = graph.peer_of(output);
        input != kNone && !graph.is_node_port(input) && one_end(graph, output) == output)
      all.push_back(output);
  const auto drawn = static_cast<std::size_t>(std::llround(chosen.part * static_cast<double>(all.size())));
  Rng rng(static_cast<std::uint64_t>(chosen.seed), StreamKind::placement, 0);
  for (std::size_t i = 0; i < drawn; ++i) {
    std::swap(all[i], all[i + rng.below(static_cast<std::uint32_t>(all.size() - i))]);
    links.push_back(all[i]);
  }
  std::ranges::sort(links);
  links.erase(std::unique(links.begin(), links.end()), links.end());
  return links;
}

// Reports the nodes that the first source with unreachable nodes cannot reach.
void check_reachable(const Graph& graph, Mistakes& mistakes) {
  std::set<SwitchId> seen;  // switches that earlier sources send to
  // Without one-way links, one source is enough if there is one network.
  const NodeId sources = graph.links_go_both_ways() && graph.hosts().none() ? 1 : graph.nodes();
  for (NodeId source = 0; source < sources; ++source) {
    if (!seen.insert(switch_from(graph, source)).second) continue;
    const Distances distances = distances_from(graph, switch_from(graph, source));
    std::size_t unreachable = 0;
    std::string list;
    for (NodeId node = 0; node < graph.nodes(); ++node) {
      if (distances.has_path(switch_to(graph, node)) || !graph.are_in_one_network(source, node)) continue;
      if (++unreachable <= kMostListed) list += (list.empty() ? "" : ", ") + graph.node_name(node);
    }
    if (unreachable == 0) continue;
    if (unreachable > kMostListed) list += fmt::format(" and {} more", unreachable - kMostListed);
    return mistakes.add(
        "network.failures",
        "without these links, no path leads from node " + graph.node_name(source) + " to node " + list,
        "use fewer failed links, or another seed");
  }
}

std::vector<PortId> failed_ends(const LinkFaults& faults, const Graph& graph, Mistakes& mistakes) {
  std::vector<PortId> failed = links_of(faults.failed, graph, "network.failures", mistakes);
  if (faults.repaired.empty()) return failed;
  const NumberedNames switches = switches_of(graph);
  for (const std::string& text : faults.repaired) {
    const auto link = named_link(graph, switches, text, LinksToNodes::refused, "what_if.repaired", mistakes);
    if (link && std::erase(failed, *link) == 0)
      mistakes.add("what_if.repaired", "link " + text + " has not failed", "name links that have failed");
  }
  return failed;
}

}  // namespace

void apply(const LinkFaults& faults, Graph& graph) {
  Mistakes mistakes;
  const std::vector<PortId> failed = failed_ends(faults, graph, mistakes);
  const std::vector<PortId> slow = links_of(faults.slow, graph, "network.degraded", mistakes);
  mistakes.throw_if_any();
  const Rational part(std::llround(faults.slow_rate * kMillion), kMillion);
  for (const PortId output : slow) graph.set_rate(output, {graph.link(output).rate.bytes_per_ns * part});
  for (const PortId output : failed) graph.fail(output);
  if (!failed.empty() && faults.unreachable == Unreachable::mistake) check_reachable(graph, mistakes);
  mistakes.throw_if_any();
}

std::vector<std::string> failed_links(const LinkFaults& faults, const Graph& graph) {
  Mistakes none;  // apply() reports them
  std::vector<std::string> names;
  for (const PortId end : failed_ends(faults, graph, none)) names.push_back(name_of_link(graph, end));
  return names;
}

}  // namespace headway
