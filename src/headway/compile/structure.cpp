// SPDX-License-Identifier: Apache-2.0
// Counts over all routes. The time is quadratic in the number of nodes, about a second for thousands of
// nodes.
#include "headway/compile/structure.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "headway/compile/cost.h"
#include "headway/compile/plan.h"
#include "headway/metrics/stage_census.h"
#include "headway/routing/paths_left.h"
#include "headway/topology/extent.h"

namespace headway {
namespace {

// The switches from `first` to one before `end`, and their ports that lead down: those below `down_ports`.
struct Stage {
  SwitchId first;
  SwitchId end;
  std::uint32_t down_ports;
};

// The stages of a tree. In other networks, all switches are one stage, and all their ports count as down.
std::vector<Stage> stages_of(const Graph& graph) {
  const auto* tree = std::get_if<TreeShape>(&graph.shape());
  if (tree == nullptr) return {{0, graph.switches(), graph.max_radix()}};
  std::vector<Stage> stages;
  for (std::uint32_t stage = 0; stage < tree->stages(); ++stage)
    stages.push_back({tree->first_switch(stage), tree->first_switch(stage + 1), tree->down_ports(stage)});
  return stages;
}

// The destinations at each place, collected by following the path of every pair.
struct Census {
  std::vector<std::set<NodeId>> at_switch;  // [switch] destinations
  std::vector<std::set<NodeId>> on_link;    // [output port] destinations
  std::vector<std::uint64_t> paths;         // [output port]
  std::vector<std::vector<std::pair<std::uint32_t, NodeId>>>
      entered;  // [input port] queue, destination; repeated

  explicit Census(const Graph& graph)
      : at_switch(graph.switches()), on_link(graph.ports()), paths(graph.ports()), entered(graph.ports()) {}
};

Census count(const Graph& graph, const RouteTable& routes, const QueueMap& map) {
  Census census(graph);
  for (NodeId destination = 0; destination < graph.nodes(); ++destination) {
    for (NodeId source = 0; source < graph.nodes(); ++source) {
      if (source == destination || !has_path(graph, routes, source, destination)) continue;
      PortId input = graph.peer_of(graph.node_port(source));
      while (!graph.is_node_port(input)) {
        const SwitchId sw = graph.switch_of(input);
        const std::uint32_t output = routes.of_pair(sw, source, destination).first;
        const PortId link = graph.port(sw, output);
        census.at_switch[sw].insert(destination);
        census.on_link[link].insert(destination);
        ++census.paths[link];
        // sources of one input are consecutive, so repetitions are usually adjacent
        const std::pair entry{map.at(input, output, source, destination), destination};
        auto& entered = census.entered[input];
        if (entered.empty() || entered.back() != entry) entered.push_back(entry);
        input = graph.peer_of(link);
      }
    }
  }
  return census;
}

void add_queues(std::vector<std::pair<std::uint32_t, NodeId>> entered, StageCensus& stage) {
  std::ranges::sort(entered);
  entered.erase(std::unique(entered.begin(), entered.end()), entered.end());
  std::size_t queues = 0;
  for (auto first = entered.begin(); first != entered.end(); ++queues) {
    const auto next =
        std::find_if(first, entered.end(), [&](const auto& e) { return e.first != first->first; });
    stage.destinations_per_queue =
        std::max(stage.destinations_per_queue, static_cast<std::size_t>(next - first));
    first = next;
  }
  stage.queues_used = std::max(stage.queues_used, queues);
}

std::vector<StageCensus> stages(const Graph& graph, const Census& census) {
  std::vector<StageCensus> result;
  for (const Stage& of : stages_of(graph)) {
    StageCensus& stage = result.emplace_back();
    for (const bool down : {false, true}) {
      std::uint64_t least = std::numeric_limits<std::uint64_t>::max(), most = 0;
      for (SwitchId sw = of.first; sw < of.end; ++sw) {
        stage.destinations_per_switch = std::max(stage.destinations_per_switch, census.at_switch[sw].size());
        for (std::uint32_t local = 0; local < graph.radix(sw); ++local) {
          const PortId port = graph.port(sw, local);
          if (down) add_queues(census.entered[port], stage);
          if (graph.peer_of(port) == kNone || (local < of.down_ports) != down) continue;
          least = std::min(least, census.paths[port]);
          most = std::max(most, census.paths[port]);
          if (down)
            stage.destinations_per_link = std::max(stage.destinations_per_link, census.on_link[port].size());
        }
      }
      if (most > 0 && least == 0) stage.load_imbalance = std::numeric_limits<double>::quiet_NaN();
      if (least > 0)
        stage.load_imbalance =
            std::max(stage.load_imbalance, static_cast<double>(most) / static_cast<double>(least));
    }
  }
  return result;
}

}  // namespace

Result structure(const EventSpec& spec) {
  const Plan network = plan_of_network_alone(spec);
  Mistakes mistakes;
  if (!spec.routing.algorithm->single_path() && !network.options.by_destination)
    mistakes.add("routing.algorithm",
                 "structure metrics need a routing function with one path per source and destination");
  mistakes.throw_if_any();

  const Graph& graph = *network.graph;

  Result result;
  result.metrics = {{"nodes", graph.nodes_of_spec()},
                    {"switches", graph.switches()},
                    {"radix", graph.max_radix()},
                    {"stages", graph.stages()},
                    {"switch_links", static_cast<double>(links_between_switches(graph))}};
  if (const auto links = diameter(graph)) result.metrics.emplace_back("diameter", *links);
  if (const auto links = bisection(graph)) {
    result.metrics.emplace_back("bisection_links", static_cast<double>(*links));
    result.metrics.emplace_back("bisection_share", 2 * static_cast<double>(*links) / graph.nodes());
  }
  for (auto& metric : cost_of(spec, graph, network.map, network.options))
    result.metrics.push_back(std::move(metric));

  std::vector<StageCensus> census = stages(graph, count(graph, network.routes.table, network.map));
  for (std::size_t i = 0; i < census.size(); ++i) census[i].stage = i;
  result.tables.emplace("structure_per_stage", structure_per_stage(census));
  return result;
}

}  // namespace headway
