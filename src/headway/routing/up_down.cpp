// SPDX-License-Identifier: Apache-2.0
// Up*/down* routing for any graph: one path for each switch and destination. The paths are spread over the
// links. Several roots, and balance by destinations, are those of OpenSM's routing engine "updn"
// (opensm/osm_ucast_updn.c, osm_switch_recommend_path in osm_switch.c, https://github.com/linux-rdma/opensm).
//
// Choice: the default counts paths between nodes. OpenSM counts the destinations of each port of each switch
// alone, also those that no packet goes to over this switch. In a k-ary n-tree the paths up from a switch of
// the second level then all take one of its links, and the network carries more if some links fail.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "headway/base/cancel_scope.h"
#include "headway/base/work_scope.h"
#include "headway/routing/any_graph.h"
#include "headway/routing/paths_left.h"
#include "headway/routing/routes.h"
#include "headway/routing/routing.h"
#include "headway/routing/tree_by_levels.h"
#include "headway/topology/distances.h"
#include "headway/topology/members.h"

namespace headway {
namespace {

// What the load of a link is when paths are chosen.
enum class UpDownBalance : std::uint8_t { paths, destinations };
constexpr auto names_in_specs(UpDownBalance) { return name_list("paths", "destinations"); }

// Up*/down*: links lead up or down in the order of a breadth-first search from all roots, which visits
// neighbours in the order of their numbers. A path goes up, then down, so that no cycle of channels can
// exist. Choice: a switch that can reach the destination over down links does so, even if a path over up
// links is shorter; then routes depend only on the destination. Of several next links on paths of the same
// length it takes the one with the least load.
class UpDownTable {
 public:
  UpDownTable(const Graph& graph, std::vector<SwitchId> roots, UpDownBalance balance)
      : graph_(graph),
        balance_(balance),
        rank_(graph.switches()),
        load_(graph.ports()),
        nodes_at_(graph.switches()) {
    for (NodeId node = 0; node < graph.nodes(); ++node) ++nodes_at_[switch_from(graph, node)];
    std::vector<bool> seen(graph.switches());
    const auto search = [&](const std::vector<SwitchId>& from) {
      std::size_t i = order_.size();
      order_.insert(order_.end(), from.begin(), from.end());
      for (const SwitchId sw : from) seen[sw] = true;
      for (; i < order_.size(); ++i) {
        rank_[order_[i]] = static_cast<std::uint32_t>(i);
        std::vector<SwitchId> next;
        for_each_link_to(graph, order_[i], [&](PortId, SwitchId other) {
          if (!seen[other]) next.push_back(other);
          seen[other] = true;
        });
        std::ranges::sort(next);
        order_.insert(order_.end(), next.begin(), next.end());
      }
    };
    std::ranges::sort(roots);
    search(roots);
    for (NodeId node = 0; node < graph.nodes(); ++node) root_has_nodes_ |= seen[switch_to(graph, node)];
    for (SwitchId sw = 0; sw < graph.switches(); ++sw)  // parts that failures have cut off
      if (!seen[sw]) search({sw});
  }

  // True if a path leads from some node to a root.
  bool root_has_nodes() const { return root_has_nodes_; }

  RouteTable table() {
    PathTable table(graph_);
    SwitchId found = kNone;
    for (NodeId node = 0; node < graph_.nodes(); ++node) {
      poll_cancel();
      if (const SwitchId to = switch_to(graph_, node); std::exchange(found, to) != to) find(to);
      choose();
      table.set(node, output_);
      count();
    }
    return std::move(table).routes();
  }

 private:
  // Adds the paths to the destination to the loads of their links.
  void count() {
    if (balance_ == UpDownBalance::destinations) {
      for (const SwitchId sw : farthest_first_) ++load_[output_[sw]];
      return;
    }
    std::vector<std::uint64_t> through(nodes_at_.begin(), nodes_at_.end());  // [switch] paths
    for (const SwitchId sw : farthest_first_) {
      load_[output_[sw]] += through[sw];
      through[graph_.switch_of(graph_.peer_of(output_[sw]))] += through[sw];
    }
  }

  // Finds the next links of all switches on their paths to a leaf, which its nodes share.
  void find(SwitchId to) {
    links_.assign(graph_.switches(), kNone);
    next_.resize(graph_.switches());
    for (std::vector<PortId>& outputs : next_) outputs.clear();
    links_[to] = 0;
    std::vector<SwitchId> frontier = {to};
    for (std::size_t i = 0; i < frontier.size(); ++i)  // over down links
      for_each_link_to(graph_, frontier[i], [&](PortId output, SwitchId from) {
        if (rank_[from] > rank_[frontier[i]]) return;
        if (links_[from] == kNone) frontier.push_back(from);
        offer(from, output, links_[frontier[i]] + 1);
      });
    std::vector<bool> goes_down(graph_.switches());
    for (const SwitchId sw : frontier) goes_down[sw] = true;
    for (const SwitchId sw : order_) {  // the others over up links, from the roots on
      if (goes_down[sw]) continue;
      for_each_link_from(graph_, sw, [&](PortId output, SwitchId above) {
        if (rank_[above] < rank_[sw] && links_[above] != kNone) offer(sw, output, links_[above] + 1);
      });
    }
    farthest_first_.clear();
    for (const SwitchId sw : order_)
      if (!next_[sw].empty()) farthest_first_.push_back(sw);
    std::ranges::sort(farthest_first_, std::greater<>(), [&](SwitchId sw) { return links_[sw]; });
  }

  void offer(SwitchId sw, PortId output, std::uint32_t links) {
    if (links > links_[sw]) return;
    if (links < links_[sw]) next_[sw].clear();
    links_[sw] = links;
    next_[sw].push_back(output);
  }

  // The next link of every switch for one node of the leaf.
  void choose() {
    output_.assign(graph_.switches(), kNone);
    for (const SwitchId sw : farthest_first_) {
      count_work(next_[sw].size());
      output_[sw] = *std::ranges::min_element(
          next_[sw], {}, [&](PortId output) { return std::pair(load_[output], output); });
    }
  }

  const Graph& graph_;
  UpDownBalance balance_;
  bool root_has_nodes_ = false;
  std::vector<SwitchId> order_;      // from the roots on
  std::vector<std::uint32_t> rank_;  // [switch] its place in the order
  // [output] paths between nodes over it, or destinations that its switch reaches over it
  std::vector<std::uint64_t> load_;
  std::vector<std::uint32_t> nodes_at_;    // [switch]
  std::vector<std::uint32_t> links_;       // [switch] number of links to the leaf
  std::vector<std::vector<PortId>> next_;  // [switch] to the leaf, over the fewest links
  std::vector<SwitchId> farthest_first_;   // the switches with a path to the leaf, without it
  std::vector<PortId> output_;             // [switch] to the node
};

// The switches at the top of what looks like a tree (tree_by_levels.h); empty if a link joins switches of one
// level. Choice: OpenSM takes the switches that have the same distance from more than 90 % of the nodes
// (updn_find_root_nodes_by_min_hop). In a tree, the tops are these switches. With levels, a top remains one
// if some of its links fail, and a leaf does not become one because it is far from most nodes.
std::vector<SwitchId> tops_of(const Graph& graph) {
  const Levels levels = levels_of(graph);
  return levels.within ? std::vector<SwitchId>() : levels.tops;
}

// The switch with the smallest distance to the farthest switch; the first of several. Considers only the
// switches that are reached by the most others, because failures can cut off parts of the network.
SwitchId centre_of(const Graph& graph) {
  SwitchId best = 0;
  std::size_t most = 0;
  std::uint32_t least = kNone;
  for (SwitchId sw = 0; sw < graph.switches(); ++sw) {
    poll_cancel();
    const Distances distances = distances_to(graph, sw);
    const std::size_t reached = distances.order.size();
    if (reached < most || (reached == most && distances.farthest() >= least)) continue;
    most = reached;
    least = distances.farthest();
    best = sw;
  }
  return best;
}

bool connects_all(const Graph& graph, const RouteTable& table) {
  std::map<SwitchId, NodeId> node_at;  // one node of each switch is enough
  for (NodeId node = 0; node < graph.nodes(); ++node) node_at.emplace(switch_to(graph, node), node);
  for (const auto& [to, node] : node_at) {
    const Distances distances = distances_to(graph, to);
    for (NodeId source = 0; source < graph.nodes(); ++source)
      if (const SwitchId from = switch_from(graph, source);
          distances.has_path(from) && table.at(from, node).count == 0)
        return false;
  }
  return true;
}

RouteTable table_from_best_roots(const Graph& graph, UpDownBalance balance) {
  if (const std::vector<SwitchId> tops = tops_of(graph); !tops.empty())
    // failures can leave a pair without a top that reaches both
    if (RouteTable table = UpDownTable(graph, tops, balance).table(); connects_all(graph, table))
      return table;
  return UpDownTable(graph, {centre_of(graph)}, balance).table();
}

class UpDown final : public Routing {
 public:
  void describe(Parameters& parameters) override {
    parameters.field(
        {.name = "root",
         .help = "names or numbers of the switches at the top; default: the top switches of what "
                 "looks like a tree, otherwise the first switch with the smallest distance to "
                 "the farthest one"},
        roots_);
    parameters.field({.name = "balance",
                      .help = "of several next links, a path takes the one with the fewest paths between "
                              "nodes, or the one over which its switch reaches the fewest destinations, as "
                              "with OpenSM"},
                     balance_);
  }
  bool single_path() const override { return true; }
  bool routes(const Shape& shape) const override { return !std::holds_alternative<StagesShape>(shape); }
  bool avoids_failures(const Shape&) const override { return true; }

 private:
  Routes routes_of(const Graph& graph) const override {
    // packets never wait for each other around a ring, so no ring needs a bubble
    return {roots_.empty() ? table_from_best_roots(graph, balance_) : table_from_named_roots(graph),
            LaneRules().breaking_rings()};
  }

  RouteTable table_from_named_roots(const Graph& graph) const {
    const NumberedNames switches = switches_of(graph);
    std::vector<SwitchId> roots;
    Mistakes mistakes;
    for (const std::string& name : roots_)
      if (const auto root = switches.single(name); !root)
        mistakes.add("routing.root", switches.no_such(name), switches.hint(name));
      else if (std::ranges::find(roots, *root) == roots.end())
        roots.push_back(*root);
    mistakes.throw_if_any();
    UpDownTable table(graph, roots, balance_);
    if (!table.root_has_nodes())
      mistakes.add("routing.root",
                   "no path leads from any node to switch " + graph.switch_name(roots.front()),
                   "use a switch with links");
    mistakes.throw_if_any();
    RouteTable routes = table.table();
    if (const auto pair = pair_without_path(graph, routes); pair && !graph.has_failures())
      mistakes.add("routing.root",
                   "no path up and then down leads from node " + graph.node_name(pair->first) + " to node " +
                       graph.node_name(pair->second),
                   "name one switch, or all switches at the top of a tree");
    mistakes.throw_if_any();
    return routes;
  }

  std::vector<std::string> roots_;
  UpDownBalance balance_ = UpDownBalance::paths;
};

}  // namespace

Entry<Routing> up_down() {
  return {"up-down",
          "any graph: up towards the roots, then down, spread over the links; one lane. OpenSM's updn "
          "spreads the paths as balance = \"destinations\" does, and gives up where it finds no roots",
          "Schroeder et al., IEEE J. Selected Areas in Communications 9(8), 1991",
          make_entry<Routing, UpDown>};
}

}  // namespace headway
