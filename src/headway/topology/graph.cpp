// SPDX-License-Identifier: Apache-2.0
#include "headway/topology/graph.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

namespace headway {

std::string_view kind_of(const Shape& shape) {
  if (std::holds_alternative<TreeShape>(shape)) return "a tree";
  if (std::holds_alternative<StagesShape>(shape)) return "a multistage network";
  if (std::holds_alternative<SingleSwitchShape>(shape)) return "a single switch";
  if (std::holds_alternative<HyperXShape>(shape)) return "a HyperX";
  if (std::holds_alternative<DragonflyShape>(shape)) return "a dragonfly";
  if (std::holds_alternative<DragonflyPlusShape>(shape)) return "a dragonfly+";
  if (std::holds_alternative<SlimFlyShape>(shape)) return "a slim fly";
  if (const auto* grid = std::get_if<GridShape>(&shape)) return grid->wraps ? "a torus" : "a mesh";
  return std::get<IrregularShape>(shape).kind;
}

std::uint32_t first_global_port(Arrangement arrangement, std::uint32_t groups, std::uint32_t group,
                                std::uint32_t other) {
  switch (arrangement) {
    case Arrangement::absolute:
      return other - (other > group ? 1 : 0);
    case Arrangement::relative:
      return (other + groups - group - 1) % groups;
    case Arrangement::palm_tree:
      return (group + groups - other - 1) % groups;
  }
  return 0;
}

std::uint32_t TreeShape::places_below(std::uint32_t stage) const {
  std::uint32_t result = 1;
  for (std::uint32_t s = 0; s <= stage; ++s) result *= levels[s].children;
  return result;
}

std::uint32_t TreeShape::ways(std::uint32_t stage) const {
  std::uint32_t result = 1;
  for (std::uint32_t s = 0; s <= stage; ++s) result *= levels[s].parents;
  return result;
}

SwitchId TreeShape::first_switch(std::uint32_t stage) const {
  SwitchId first = 0;
  for (std::uint32_t s = 0; s < stage; ++s) first += switches(s);
  return first;
}

std::uint32_t TreeShape::stage_of(SwitchId sw) const {
  std::uint32_t stage = 0;
  while (sw >= switches(stage)) sw -= switches(stage++);
  return stage;
}

std::uint32_t TreeShape::arity() const {
  const std::uint32_t k = levels.front().children;
  for (std::uint32_t s = 1; s < stages(); ++s)
    if (levels[s] != TreeLevel{k, k, 1}) return 0;
  return k;
}

TreeShape k_ary_tree(std::uint32_t k, std::uint32_t stages) {
  TreeShape shape{std::vector<TreeLevel>(stages, {k, k, 1}), k, {}};
  shape.levels.front().parents = 1;
  return shape;
}

Graph::Graph(std::uint32_t nodes, const std::vector<std::uint32_t>& radix_of_switch, Shape shape)
    : nodes_(nodes), shape_(std::move(shape)), first_port_(radix_of_switch.size() + 1, 0) {
  for (std::size_t sw = 0; sw < radix_of_switch.size(); ++sw) {
    first_port_[sw + 1] = first_port_[sw] + radix_of_switch[sw];
    max_radix_ = std::max(max_radix_, radix_of_switch[sw]);
    port_pairs_ += std::uint64_t{radix_of_switch[sw]} * radix_of_switch[sw];
    switch_of_.insert(switch_of_.end(), radix_of_switch[sw], static_cast<SwitchId>(sw));
  }
  peer_of_.assign(ports(), kNone);
  source_of_.assign(ports(), kNone);
  link_of_.assign(ports(), 0);
}

std::string Graph::switch_name(SwitchId sw) const {
  const auto* names = std::get_if<IrregularShape>(&shape_);
  return names != nullptr && sw < names->switch_names.size() ? names->switch_names[sw] : std::to_string(sw);
}

std::string Graph::node_name(NodeId node) const {
  const auto* names = std::get_if<IrregularShape>(&shape_);
  return names != nullptr && node < names->node_names.size() ? names->node_names[node] : std::to_string(node);
}

bool Graph::has_rings() const {
  const auto* grid = std::get_if<GridShape>(&shape_);
  return grid != nullptr && grid->wraps;
}

bool Graph::links_go_both_ways() const { return source_of_ == peer_of_; }

PortId Graph::ring_input(PortId output) const {
  if (!has_rings() || is_node_port(output) || peer_of(output) == kNone) return kNone;
  const auto& grid = std::get<GridShape>(shape_);
  const std::uint32_t nodes_here = grid.nodes_per_switch, here = local(output);
  if (here < nodes_here || here >= nodes_here + 2 * grid.sides.size()) return kNone;
  return output - here + nodes_here + ((here - nodes_here) ^ 1);  // the port on the opposite side
}

std::uint32_t Graph::stages() const {
  if (const auto* tree = std::get_if<TreeShape>(&shape_)) return tree->stages();
  return std::holds_alternative<SingleSwitchShape>(shape_) ? 1 : 0;
}

int Graph::stage_of(SwitchId sw) const {
  const auto* tree = std::get_if<TreeShape>(&shape_);
  return tree == nullptr ? 0 : static_cast<int>(tree->stage_of(sw));
}

void Graph::set_hosts(const std::vector<std::vector<HostLink>>& links_of, std::uint32_t aggregators) {
  hosts_ = Hosts(links_of, aggregators);
  std::vector<SwitchId> leads_to(switches());  // towards a switch that stands for the network
  std::iota(leads_to.begin(), leads_to.end(), 0U);
  const auto network_of = [&](SwitchId sw) {
    while (leads_to[sw] != sw) sw = leads_to[sw] = leads_to[leads_to[sw]];
    return sw;
  };
  for (PortId output = 0; output < switch_ports(); ++output)
    if (const PortId input = peer_of_[output]; input != kNone && !is_node_port(input))
      leads_to[network_of(switch_of(output))] = network_of(switch_of(input));
  for (NodeId node = 0; node < nodes_; ++node)
    hosts_.set_network(node, network_of(switch_of(peer_of_[node_port(node)])));
}

void Graph::connect(PortId a, PortId b, const Link& link) {
  connect_directed(a, b, link);
  connect_directed(b, a, link);
}

void Graph::connect_directed(PortId output, PortId input, const Link& link) {
  if (peer_of_[output] != kNone || source_of_[input] != kNone)
    throw std::logic_error("Graph::connect: port wired twice");
  link_of_[output] = class_of(link);
  peer_of_[output] = input;
  source_of_[input] = output;
  if (is_node_port(output))
    fastest_injection_ = std::max(fastest_injection_, link.rate);
  else
    ++connected_outputs_;
}

std::uint16_t Graph::class_of(const Link& link) {
  auto found = std::find(links_.begin(), links_.end(), link);
  if (found == links_.end()) found = links_.insert(links_.end(), link);
  return static_cast<std::uint16_t>(found - links_.begin());
}

template <class Visit>
void Graph::for_both_directions(PortId output, Visit&& visit) {
  const PortId input = peer_of_[output];
  const bool has_reverse = peer_of_[input] == output;
  visit(output, input);
  if (has_reverse) visit(input, output);
}

void Graph::fail(PortId output) {
  for_both_directions(output, [&](PortId from, PortId to) {
    peer_of_[from] = kNone;
    source_of_[to] = kNone;
    --connected_outputs_;
    ++failed_outputs_;
  });
}

void Graph::change_links(const std::function<Link(PortId, const Link&)>& change) {
  const std::vector<Link> before = std::exchange(links_, {});
  fastest_injection_ = Rate{0};
  for (PortId output = 0; output < ports(); ++output) {
    if (peer_of_[output] == kNone) {
      link_of_[output] = 0;
      continue;
    }
    const Link link = change(output, before[link_of_[output]]);
    link_of_[output] = class_of(link);
    if (is_node_port(output)) fastest_injection_ = std::max(fastest_injection_, link.rate);
  }
}

void Graph::set_rate(PortId output, const Rate& rate) {
  for_both_directions(
      output, [&](PortId from, PortId) { link_of_[from] = class_of({rate, links_[link_of_[from]].delay}); });
}

}  // namespace headway
