// SPDX-License-Identifier: Apache-2.0
// D-mod-K (Zahavi, CCIT report 776, 2010) without labels. Its property is that all paths to a destination
// meet on the way up at the same switches, and that these switches share the destinations equally. So a
// destination gets its ancestors one level after the other, from its own switch to a top, over the link that
// leads down to the fewest destinations so far. All other switches go up to the nearest of these ancestors.
//
// Choice: of links that lead to equally few destinations, the one of the switch with the fewest destinations
// is taken, then the one of the lowest port. If the nodes of a switch are no multiple of its links up, each
// switch begins with another link, as with D-mod-K.
#include "headway/routing/tree_by_levels.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "headway/base/cancel_scope.h"
#include "headway/base/error.h"
#include "headway/base/plural.h"
#include "headway/routing/any_graph.h"
#include "headway/topology/distances.h"

namespace headway {
namespace {

constexpr const char* kRoutingKey = "routing.algorithm";
constexpr const char* kForAnyNetwork = "\"up-down\", \"lash\" and \"dfsssp\" route any network";

class TreeByLevels {
 public:
  explicit TreeByLevels(const Graph& graph)
      : graph_(graph),
        levels_(levels_of(graph)),
        leads_to_all_(graph.switches()),
        destinations_over_(graph.ports()),
        destinations_below_(graph.switches()) {
    if (levels_.within) refuse_level(*levels_.within);
    find_tops();
  }

  RouteTable table() {
    PathTable table(graph_);
    for (NodeId node = 0; node < graph_.nodes(); ++node) {
      poll_cancel();
      find_ancestors(switch_to(graph_, node));
      for (const SwitchId ancestor : ancestors_) lead_up_to(ancestor);
      for (SwitchId sw = 0; sw < graph_.switches(); ++sw)
        if (output_[sw] != kNone) ++destinations_over_[output_[sw]];
      table.set(node, output_);
    }
    return std::move(table).routes();
  }

 private:
  template <class Visit>
  void for_each_link_up(SwitchId sw, Visit&& visit) const {
    for_each_link_from(graph_, sw, [&](PortId output, SwitchId other) {
      if (levels_.of[other] > levels_.of[sw]) visit(output, other);
    });
  }
  // Calls visit(output of the lower switch, lower switch).
  template <class Visit>
  void for_each_link_from_below(SwitchId sw, Visit&& visit) const {
    for_each_link_to(graph_, sw, [&](PortId output, SwitchId other) {
      if (levels_.of[other] < levels_.of[sw]) visit(output, other);
    });
  }

  [[noreturn]] void refuse_level(PortId output) const {
    const SwitchId one = graph_.switch_of(output), other = graph_.switch_of(graph_.peer_of(output));
    throw SpecError(
        kRoutingKey,
        "the links of this network do not form a tree: switches " + graph_.switch_name(one) + " and " +
            graph_.switch_name(other) + " are linked and both " +
            (levels_.of[one] == 0 ? "have nodes" : plural(levels_.of[one], "link") + " above the nodes"),
        kForAnyNetwork);
  }

  // Marks the switches from which links up lead to a top that has links down to all nodes.
  void find_tops() {
    const std::size_t leaves = switches_with_nodes(graph_, switch_to).size();
    std::size_t most = 0;
    SwitchId best = 0;
    for (const SwitchId top : levels_.tops) {
      poll_cancel();
      const std::vector<SwitchId> below =
          breadth_first(graph_.switches(), {top}, [&](SwitchId sw, auto&& visit) {
            for_each_link_from_below(sw, visit);
          }).order;
      const auto reached = static_cast<std::size_t>(
          std::ranges::count_if(below, [&](SwitchId sw) { return levels_.of[sw] == 0; }));
      if (reached > most) {
        most = reached;
        best = top;
      }
      if (reached == leaves)
        for (const SwitchId sw : below) leads_to_all_[sw] = true;
    }
    if (most < leaves)
      throw SpecError(kRoutingKey,
                      "the links of this network do not form a tree: no switch at the top has links down to "
                      "all nodes; switch " +
                          graph_.switch_name(best) + " reaches " + std::to_string(most) + " of " +
                          plural(leaves, "switch") + " with nodes",
                      kForAnyNetwork);
  }

  // The switches over which a destination at `leaf` is reached from above, each with its output down.
  void find_ancestors(SwitchId leaf) {
    output_.assign(graph_.switches(), kNone);
    links_.assign(graph_.switches(), kNone);
    ancestors_ = {leaf};
    links_[leaf] = 0;
    for (;;) {
      const SwitchId below = ancestors_.back();
      ++destinations_below_[below];
      PortId best = kNone;
      for_each_link_up(below, [&](PortId output, SwitchId above) {
        const PortId down = graph_.source_of(output);
        const auto load = [&](PortId port) {
          return std::pair(destinations_over_[port], destinations_below_[graph_.switch_of(port)]);
        };
        if (leads_to_all_[above] && (best == kNone || load(down) < load(best))) best = down;
      });
      if (best == kNone) return;
      const SwitchId above = graph_.switch_of(best);
      ancestors_.push_back(above);
      output_[above] = best;
      links_[above] = links_[below] + 1;
    }
  }

  // Switches below the ancestor that have no output yet take a link up towards it.
  void lead_up_to(SwitchId ancestor) {
    std::vector<SwitchId> found = {ancestor};
    for (std::size_t i = 0; i < found.size(); ++i)
      for_each_link_from_below(found[i], [&](PortId output, SwitchId below) {
        const std::uint32_t links = links_[found[i]] + 1;
        if (links_[below] == kNone) found.push_back(below);
        if (links_[below] == kNone ||
            (links_[below] == links && destinations_over_[output] < destinations_over_[output_[below]])) {
          links_[below] = links;
          output_[below] = output;
        }
      });
  }

  const Graph& graph_;
  const Levels levels_;
  std::vector<bool> leads_to_all_;                 // [switch]
  std::vector<std::uint32_t> destinations_over_;   // [output]
  std::vector<std::uint32_t> destinations_below_;  // [switch] destinations of which it is an ancestor
  std::vector<SwitchId> ancestors_;                // of the destination, its own switch first
  std::vector<PortId> output_;                     // [switch] to the destination
  std::vector<std::uint32_t> links_;               // [switch] to the destination
};

}  // namespace

Levels levels_of(const Graph& graph) {
  std::vector<SwitchId> of_nodes;
  for (NodeId node = 0; node < graph.nodes(); ++node) of_nodes.push_back(switch_to(graph, node));
  Distances distances = breadth_first(graph.switches(), of_nodes,
                                      [&](SwitchId sw, auto&& visit) { for_each_link_to(graph, sw, visit); });
  Levels levels{std::move(distances.links), {}, {}};
  for (const SwitchId sw : distances.order) {
    bool is_top = true;
    for_each_link_from(graph, sw, [&](PortId output, SwitchId other) {
      is_top &= levels.of[other] < levels.of[sw];
      if (levels.of[other] == levels.of[sw] && !levels.within) levels.within = output;
    });
    if (is_top) levels.tops.push_back(sw);
  }
  return levels;
}

RouteTable tree_by_levels(const Graph& graph) { return TreeByLevels(graph).table(); }

}  // namespace headway
