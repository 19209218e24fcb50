// SPDX-License-Identifier: Apache-2.0
#include "headway/programs/switch_tree.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "headway/base/error.h"

namespace headway {

std::uint32_t SwitchTree::place_of(std::uint32_t member) const {
  for (std::uint32_t place = 0; place < places.size(); ++place)
    if (std::ranges::find(places[place].members, member) != places[place].members.end()) return place;
  return kNone;
}

SwitchTree SwitchTree::from(std::uint32_t root) const {
  std::vector<std::vector<std::uint32_t>> neighbours(places.size());
  for (std::uint32_t place = 0; place < places.size(); ++place)
    if (const std::uint32_t parent = places[place].parent; parent != kNone) {
      neighbours[place].push_back(parent);
      neighbours[parent].push_back(place);
    }
  SwitchTree result;
  std::vector<std::uint32_t> number(places.size(), kNone), order{root};  // by numbers here
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::uint32_t here = order[i];
    number[here] = static_cast<std::uint32_t>(i);
    result.places.push_back({places[here].sw, kNone, places[here].members});
    for (const std::uint32_t next : neighbours[here]) {
      if (number[next] != kNone)
        result.places.back().parent = number[next];
      else
        order.push_back(next);
    }
  }
  return result;
}

SwitchTree star(std::uint32_t members) {
  SwitchTree tree;
  tree.places.emplace_back().members.resize(members);
  std::iota(tree.places.front().members.begin(), tree.places.front().members.end(), 0U);
  return tree;
}

template <class Visit>
void SwitchTrees::for_each_link(std::uint32_t rank, Visit&& visit) const {
  const NodeId node = nodes_[rank];
  for (NodeId link = graph_.home(node); link < graph_.end_of(node); ++link)
    if (graph_.peer_of(graph_.node_port(link)) != kNone) visit(link, switch_from(graph_, link));
}

const Distances& SwitchTrees::distances(SwitchId from) {
  const auto [found, fresh] = distances_.try_emplace(from);
  if (fresh) found->second = distances_from(graph_, from);
  return found->second;
}

SwitchId SwitchTrees::root_of(std::span<const std::uint32_t> ranks) {
  // Nodes with links to the same switches count once.
  std::map<std::vector<SwitchId>, std::uint64_t> members_at;
  for (const std::uint32_t rank : ranks) {
    std::vector<SwitchId> switches;
    for_each_link(rank, [&](NodeId, SwitchId sw) { switches.push_back(sw); });
    ++members_at[switches];
  }
  std::tuple<std::uint64_t, std::uint64_t> least{UINT64_MAX, 0};
  std::vector<SwitchId> equal;
  for (SwitchId sw = 0; sw < graph_.switches(); ++sw) {
    std::uint64_t farthest = 0, all = 0;
    for (const auto& [switches, members] : members_at) {
      std::uint64_t nearest = kNone;
      for (const SwitchId at : switches) nearest = std::min<std::uint64_t>(nearest, distances(at).links[sw]);
      farthest = std::max(farthest, nearest);
      all += nearest * members;
    }
    if (farthest == kNone) continue;
    const std::tuple cost{farthest, all};
    if (cost < least) least = cost, equal.clear();
    if (cost == least) equal.push_back(sw);
  }
  if (equal.empty())
    throw SpecError("algorithm", "no switch reaches all ranks of a group, so none can reduce their data",
                    "use algorithm = \"hierarchical\" between networks that are apart");
  return equal[trees_ % equal.size()];
}

SwitchTree SwitchTrees::tree_of(std::span<const std::uint32_t> ranks) {
  if (!graph_.links_go_both_ways())
    throw SpecError("algorithm", "switches that reduce and multicast need links in both directions",
                    "choose another topology, or another algorithm");
  const SwitchId root = root_of(ranks);
  const Distances& from_root = distances(root);
  SwitchTree tree;
  std::map<SwitchId, std::uint32_t> place_of;
  const auto add = [&](SwitchId sw, std::uint32_t parent) {
    place_of.emplace(sw, static_cast<std::uint32_t>(tree.places.size()));
    tree.places.push_back({sw, parent, {}});
  };
  add(root, kNone);
  for (std::uint32_t member = 0; member < ranks.size(); ++member) {
    NodeId nearest = kNone;
    std::uint32_t least = kNone;
    for_each_link(ranks[member], [&](NodeId link, SwitchId sw) {
      if (from_root.links[sw] < least) least = from_root.links[sw], nearest = link;
    });
    const PortId port = graph_.peer_of(graph_.node_port(nearest));
    ports_[graph_.switch_of(port)].push_back(graph_.local(port));
    // Up to the tree, and then its switches downwards.
    std::vector<PortId> way;  // outputs
    SwitchId at = graph_.switch_of(port);
    while (!place_of.contains(at)) {
      std::vector<PortId> nearer, joining;
      for (const std::uint16_t local : ports_nearer(graph_, at, from_root)) {
        const PortId output = graph_.port(at, local);
        nearer.push_back(output);
        if (place_of.contains(graph_.switch_of(graph_.peer_of(output)))) joining.push_back(output);
      }
      const std::vector<PortId>& outputs = joining.empty() ? nearer : joining;
      way.push_back(outputs[trees_ % outputs.size()]);
      at = graph_.switch_of(graph_.peer_of(way.back()));
    }
    for (auto output = way.rbegin(); output != way.rend(); ++output) {
      const PortId input = graph_.peer_of(*output);
      add(graph_.switch_of(*output), place_of.at(graph_.switch_of(input)));
      ports_[graph_.switch_of(*output)].push_back(graph_.local(*output));
      ports_[graph_.switch_of(input)].push_back(graph_.local(input));
    }
    tree.places[place_of.at(graph_.switch_of(port))].members.push_back(member);
  }
  ++trees_;
  return tree;
}

std::vector<Aggregator> SwitchTrees::aggregators() const {
  std::vector<Aggregator> aggregators;
  for (const auto& [sw, ports] : ports_) {
    const std::set<std::uint32_t> different(ports.begin(), ports.end());
    aggregators.push_back({sw, {different.begin(), different.end()}});
  }
  return aggregators;
}

}  // namespace headway
