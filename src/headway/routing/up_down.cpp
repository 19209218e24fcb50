// SPDX-License-Identifier: Apache-2.0
// Up*/down* routing for any graph: one path for each switch and destination. The paths are spread over the
// links.
#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "headway/base/cancel_scope.h"
#include "headway/config/limits.h"
#include "headway/routing/any_graph.h"
#include "headway/routing/routing.h"
#include "headway/topology/distances.h"

namespace headway {
namespace {

// Up*/down*: links lead up or down in the order of a breadth-first search from the root, which visits
// neighbours in the order of their numbers. A path goes up, then down, so that no cycle of channels can
// exist. Choice: a switch that can reach the destination over down links does so, even if a path over up
// links is shorter; then routes depend only on the destination. Among paths of the same length it takes the
// link with the fewest routes.
class UpDownTable {
 public:
  UpDownTable(const Graph& graph, SwitchId root)
      : graph_(graph), rank_(graph.switches()), routes_at_(graph.ports()) {
    std::vector<bool> seen(graph.switches());
    const auto search = [&](SwitchId from) {
      std::size_t i = order_.size();
      order_.push_back(from);
      seen[from] = true;
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
    search(root);
    for (NodeId node = 0; node < graph.nodes(); ++node) root_has_nodes_ |= seen[switch_to(graph, node)];
    for (SwitchId sw = 0; sw < graph.switches(); ++sw)  // parts that failures have cut off
      if (!seen[sw]) search(sw);
  }

  bool root_has_nodes() const { return root_has_nodes_; }

  RouteTable table() {
    std::vector<PortRange> candidates(std::size_t{graph_.switches()} * graph_.nodes());
    for (NodeId node = 0; node < graph_.nodes(); ++node) {
      poll_cancel();
      find(switch_to(graph_, node));
      for (SwitchId sw = 0; sw < graph_.switches(); ++sw) {
        PortRange& range = candidates[std::size_t{sw} * graph_.nodes() + node];
        if (links_[sw] == 0) {
          range = port_to(graph_, node);
        } else if (links_[sw] == kNone) {
          range = {0, 0};  // no path
        } else {
          range = {static_cast<std::uint16_t>(graph_.local(output_[sw])), 1};
          ++routes_at_[output_[sw]];
        }
      }
    }
    return RouteTable::from_table(graph_.nodes(), std::move(candidates));
  }

 private:
  void find(SwitchId to) {
    links_.assign(graph_.switches(), kNone);
    output_.assign(graph_.switches(), kNone);
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
    for (const SwitchId sw : order_) {  // the others over up links, from the root on
      if (goes_down[sw]) continue;
      for_each_link_from(graph_, sw, [&](PortId output, SwitchId above) {
        if (rank_[above] < rank_[sw] && links_[above] != kNone) offer(sw, output, links_[above] + 1);
      });
    }
  }

  void offer(SwitchId sw, PortId output, std::uint32_t links) {
    const auto is_better = [&] {
      return std::tuple(links, routes_at_[output], output) <
             std::tuple(links_[sw], routes_at_[output_[sw]], output_[sw]);
    };
    if (output_[sw] != kNone ? !is_better() : links_[sw] != kNone) return;
    links_[sw] = links;
    output_[sw] = output;
  }

  const Graph& graph_;
  bool root_has_nodes_ = false;           // in the root's part of the network
  std::vector<SwitchId> order_;           // from the root on
  std::vector<std::uint32_t> rank_;       // [switch] its place in the order
  std::vector<std::uint32_t> routes_at_;  // [output] pairs of switch and destination that use it
  std::vector<std::uint32_t> links_;      // [switch] number of links to the destination
  std::vector<PortId> output_;            // [switch]
};

// The switch with the smallest distance to the farthest switch; the first of several. Considers only the
// switches that are reached by the most others, because failures can cut off parts of the network.
SwitchId centre_of(const Graph& graph) {
  SwitchId best = 0;
  std::size_t most = 0;
  std::uint32_t least = kNone;
  for (SwitchId sw = 0; sw < graph.switches(); ++sw) {
    const Distances distances = distances_to(graph, sw);
    const std::size_t reached = distances.order.size();
    if (reached < most || (reached == most && distances.farthest() >= least)) continue;
    most = reached;
    least = distances.farthest();
    best = sw;
  }
  return best;
}

class UpDown final : public Routing {
 public:
  void describe(Parameters& parameters) override {
    parameters.field({.name = "root",
                      .help = "number of the switch at the top; default: the first one of those with the "
                              "smallest distance to the farthest switch",
                      .at_least = 0,
                      .at_most = limits::kNumber},
                     root_);
  }
  bool single_path() const override { return true; }
  bool routes(const Shape& shape) const override { return !std::holds_alternative<StagesShape>(shape); }
  bool avoids_failures(const Shape&) const override { return true; }

 private:
  Routes routes_of(const Graph& graph) const override {
    if (root_ && *root_ >= graph.switches())
      throw SpecError({{.key = "routing.root",
                        .message = "there is no switch " + std::to_string(*root_),
                        .hint = "at most " + std::to_string(graph.switches() - 1),
                        .where = ""}});
    UpDownTable table(graph, root_ ? static_cast<SwitchId>(*root_) : centre_of(graph));
    if (!table.root_has_nodes())
      throw SpecError({{.key = "routing.root",
                        .message = "no path leads from any node to switch " +
                                   graph.switch_name(static_cast<SwitchId>(root_.value_or(0))),
                        .hint = "use a switch with links",
                        .where = ""}});
    // packets never wait for each other around a ring, so no ring needs a bubble
    return {table.table(), LaneRules().breaking_rings()};
  }

  std::optional<std::int64_t> root_;
};

}  // namespace

Entry<Routing> up_down() {
  return {"up-down", "any graph: up towards the root of a spanning tree, then down; one lane",
          "Schroeder et al., IEEE J. Selected Areas in Communications 9(8), 1991",
          make_entry<Routing, UpDown>};
}

}  // namespace headway
